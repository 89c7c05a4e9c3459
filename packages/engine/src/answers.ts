/**
 * Meaning of the carrier's response to one part for its message. Pure bookkeeping: the caller moves batch, pace and
 * windows by the verdict.
 */
import { ClientStatus } from '@pahatid/contract/enums';
import { raisesClientStatus, type SubmitClass, type SubmitMeaning, statusCodeText } from '@pahatid/domain';
import { allPartsDelivered, partBit } from './merge-change.ts';
import { IN_DOUBT, type Outgoing, REFUSED, type Refusal, SUBMITTED } from './outgoing.ts';
import type { CarrierReceipt } from './ports.ts';

/** Sendings that ended in a temporary refusal, after which a message has failed. */
export const TRY_LIMIT = 5;
/** Sessions that a carrier ended over one message, after which it has failed: each costs the account its binds for a while. */
export const SESSION_LIMIT = 3;

/**
 * Times that a throttled message goes back to the head. Carriers return `throttled` for the queue of a single number as
 * well: a message refused more often waits, so that it does not block all others of the account. It still has not
 * failed, whatever the count.
 */
export const THROTTLES_AT_HEAD = 10;
/** The wait doubles up to here, also while the account refuses all messages. */
const LONGEST_PUT_OFF_MS = 30_000;
/** The queue of a phone that is off stays full for hours. */
const LONGEST_FULL_MS = 300_000;
/**
 * A message with some parts taken holds its space in the window until the others are: those are retried sooner, and not
 * forever.
 */
const LONGEST_REST_MS = 4_000;
const RESTS_AT_MOST = 10;

export type Verdict =
  /** Parts are missing: more responses will arrive, or more parts must be written. */
  | 'open'
  /** The message has its outcome. */
  | 'settled'
  /** It was in doubt, and now it is not. */
  | 'cleared'
  /** No part of it is at the carrier: it goes back to its batch. */
  | 'notTaken'
  /** Some parts of it are: the others must be written again. */
  | 'resume';

/**
 * `wallMs`: Unix milliseconds. `now`: monotonic. `isCause`: with this response the carrier ended the session, so that
 * it counts against this message and not against the others in flight. `isForAll`: the account refuses everything at
 * present, so that the refusal shows nothing about this message.
 */
export const answerPart = (
  outgoing: Outgoing,
  part: number,
  status: number,
  meaning: SubmitMeaning,
  wallMs: number,
  now: number,
  firstRetryMs: number,
  isCause = false,
  isForAll = false,
): Verdict => {
  const wasInDoubt = outgoing.phase === 'doubt';
  if (outgoing.phase === 'settled') return 'open';
  if (!wasInDoubt) outgoing.awaited -= 1;
  if (meaning.class === 'accepted') {
    outgoing.accepted += 1;
    if (outgoing.accepted < outgoing.parts)
      return wasInDoubt ? 'open' : verdictOfRest(outgoing, wallMs, now, firstRetryMs);
    outgoing.answeredMs = wallMs;
    outgoing.request = SUBMITTED;
    outgoing.phase = 'settled';
    return wasInDoubt ? 'cleared' : 'settled';
  }
  // A refusal that would be followed by another try is not the end of a message; one in doubt is not tried again.
  if (wasInDoubt && meaning.class !== 'permanent') return 'open';
  countTry(outgoing, meaning.class, isCause, isForAll);
  outgoing.refused.push({ part, status, class: meaning.class, dealResult: meaning.dealResult });
  if (meaning.class === 'permanent' || isTriedOut(outgoing)) {
    refuse(outgoing, outgoing.refused.at(-1)!, wallMs);
    return wasInDoubt ? 'cleared' : 'settled';
  }
  return verdictOfRest(outgoing, wallMs, now, firstRetryMs);
};

/** Once for all parts of one sending: a message of three parts is not tried out three times as soon as one of one part. */
const countTry = (outgoing: Outgoing, kind: SubmitClass, isCause: boolean, isForAll: boolean): void => {
  const isRepeated = (...kinds: SubmitClass[]): boolean => outgoing.refused.some((each) => kinds.includes(each.class));
  if (kind === 'throttled' && !isRepeated('throttled')) outgoing.throttles += 1;
  if (kind === 'queueFull' && !isRepeated('queueFull')) outgoing.fullQueues += 1;
  const isOwn = (kind === 'bindFatal' && isCause) || (kind === 'temporary' && !isRepeated('temporary'));
  if (!isOwn) return;
  if (isForAll) outgoing.putOffs += 1;
  else if (kind === 'temporary') outgoing.tries += 1;
  else outgoing.lostSessions += 1;
};

const isTriedOut = ({ tries, lostSessions }: Outgoing): boolean => tries >= TRY_LIMIT || lostSessions >= SESSION_LIMIT;

const refuse = (outgoing: Outgoing, { status, dealResult }: Refusal, wallMs: number): void => {
  outgoing.answeredMs = wallMs;
  outgoing.request = REFUSED;
  outgoing.dealResult = dealResult;
  outgoing.carrierCode = statusCodeText(status);
  outgoing.phase = 'settled';
};

/** Returns how long a message waits after the responses to its parts; zero keeps it at the head. */
const waitMs = (outgoing: Outgoing, firstRetryMs: number): number => {
  const waits = outgoing.refused.map((refusal) => {
    switch (refusal.class) {
      case 'throttled':
        return doubled(firstRetryMs, outgoing.throttles - THROTTLES_AT_HEAD, LONGEST_PUT_OFF_MS);
      case 'queueFull':
        return outgoing.accepted > 0
          ? doubled(firstRetryMs / 10, outgoing.fullQueues, LONGEST_REST_MS)
          : doubled(firstRetryMs, outgoing.fullQueues, LONGEST_FULL_MS);
      case 'temporary':
        return doubled(firstRetryMs, outgoing.tries + outgoing.putOffs, LONGEST_PUT_OFF_MS);
      default:
        return doubled(firstRetryMs, outgoing.lostSessions + outgoing.putOffs, LONGEST_PUT_OFF_MS);
    }
  });
  return Math.max(0, ...waits);
};

const doubled = (firstMs: number, times: number, longestMs: number): number =>
  times <= 0 ? 0 : Math.min(longestMs, firstMs * 2 ** (times - 1));

/** Some part is not taken yet. */
const verdictOfRest = (outgoing: Outgoing, wallMs: number, now: number, firstRetryMs: number): Verdict => {
  const [first] = outgoing.refused;
  if (outgoing.awaited > 0 || first === undefined) return 'open';
  const notBefore = now + waitMs(outgoing, firstRetryMs);
  if (outgoing.accepted === 0) {
    outgoing.requeue(notBefore);
    return 'notTaken';
  }
  if (outgoing.hasPartsLeft) return 'open';
  if (outgoing.fullQueues >= RESTS_AT_MOST) {
    refuse(outgoing, first, wallMs);
    return 'settled';
  }
  outgoing.tryRest(notBefore);
  return 'resume';
};

/** No response arrived: the outcome of the message is unknown. */
export const doubtMessage = (outgoing: Outgoing): void => {
  outgoing.phase = 'doubt';
  outgoing.request = IN_DOUBT;
};

/**
 * Applies a receipt for one part. One receipt arrives per part: delivered when all parts are, failed when one is; the
 * first failure stays until all parts are delivered after all. Returns true if the row must change.
 */
export const receivePart = (outgoing: Outgoing, part: number, receipt: CarrierReceipt): boolean => {
  if (!receipt.final) return false;
  let next = receipt.clientStatus;
  const before = outgoing.partsDelivered;
  if (next === ClientStatus.Delivered) {
    outgoing.partsDelivered |= partBit(part);
    if (!allPartsDelivered(outgoing.partsDelivered, outgoing.parts)) next = ClientStatus.Submitted;
  }
  if (!raisesClientStatus(outgoing.receipt ?? ClientStatus.Submitted, next)) return outgoing.partsDelivered !== before;
  outgoing.receipt = next;
  outgoing.dealResult = receipt.dealResult;
  outgoing.carrierCode = receipt.carrierCode;
  outgoing.reportMs = receipt.reportMs ?? receipt.receivedMs;
  return true;
};

/** Whether no further receipt can change its state. */
export const isFullyDelivered = (outgoing: Outgoing): boolean => outgoing.receipt === ClientStatus.Delivered;
