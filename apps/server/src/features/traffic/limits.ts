/** From when on something is worth a look. */
import { SmsType } from '@pahatid/contract';

const minuteS = 60;
const hourS = 60 * minuteS;

/** Binds come back by themselves after a blink of the network. */
export const bindPatienceMs = 10_000;

/** What could be sent and is not. A code is of no use after minutes; a marketing task may take its time. */
export const queuePatienceMs: Readonly<Record<number, number>> = {
  [SmsType.Verification]: 30_000,
  [SmsType.Notification]: 5 * minuteS * 1_000,
  [SmsType.Marketing]: 30 * minuteS * 1_000,
};

/** Fewer messages may all have gone to phones that are off. */
export const stalledReceipts = { silentS: 10 * minuteS, least: 50 };

/** Tried every few seconds. A response may be late by minutes; what is older than a week is tried no more. */
export const unmatchedReceipts = { waitedS: 10 * minuteS, withinS: 7 * 24 * hourS };

/** What was set aside is looked at within a week, or was not worth it. */
export const setAsideWithinS = 7 * 24 * hourS;

/** Each is tried again, the third time after a second and a half; one that fails still says so every half a minute. */
export const jobFailures = { least: 3, seenS: 2 * minuteS };

/** Beyond it the number is a lower bound. */
export const countedReviews = 200;
