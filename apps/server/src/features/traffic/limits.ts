/** From when on something is worth a look. */
import { SmsType } from '@pahatid/contract';

const minuteS = 60;
const hourS = 60 * minuteS;

/** Binds recover after a blink of the network. */
export const bindPatienceMs = 10_000;

/** What could be sent and is not. A code is of no use after minutes; a marketing task may take its time. */
export const queuePatienceMs: Readonly<Record<number, number>> = {
  [SmsType.Verification]: 30_000,
  [SmsType.Notification]: 5 * minuteS * 1_000,
  [SmsType.Marketing]: 30 * minuteS * 1_000,
};

/** Below this count, every message may have gone to a phone that is off. */
export const stalledReceipts = { silentS: 10 * minuteS, least: 50 };

/** Retried every few seconds. A response may be minutes late; receipts older than a week are no longer tried. */
export const unmatchedReceipts = { waitedS: 10 * minuteS, withinS: 7 * 24 * hourS };

/** Set-aside items are reviewed within a week or were not worth reviewing. */
export const setAsideWithinS = 7 * 24 * hourS;

/** Each job is retried, the third time after a second and a half; a failing job still logs it every half a minute. */
export const jobFailures = { least: 3, seenS: 2 * minuteS };

/** Beyond it the number is a lower bound. */
export const countedReviews = 200;
