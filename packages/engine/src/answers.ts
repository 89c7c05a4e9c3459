/**
 * What the carrier's answer to one part means for its message. Pure bookkeeping: the caller moves batch, pace and
 * windows by the verdict.
 */
import { ClientStatus } from '@pahatid/contract/enums';
import { DealResult, raisesClientStatus, type SubmitMeaning, statusCodeText } from '@pahatid/domain';
import { allPartsDelivered, partBit } from './merge-change.ts';
import { IN_DOUBT, type Outgoing, REFUSED, SUBMITTED } from './outgoing.ts';
import type { CarrierReceipt } from './ports.ts';

/** Temporary refusals after which a message has failed. */
export const TRY_LIMIT = 5;

/**
 * Times that a throttled message goes back to the head. Carriers answer `throttled` for the queue of a single
 * phone as well: one that is refused more often waits, so that it does not hold up all others of the account. It still
 * has not failed, whatever the number.
 */
export const THROTTLES_AT_HEAD = 10;
/** The wait doubles up to here. */
const LONGEST_PUT_OFF_MS = 30_000;

export type Verdict =
  /** Parts are missing: more answers will come, or more parts are to be written. */
  | 'open'
  /** The message has its outcome. */
  | 'settled'
  /** It was in doubt, and now it is not. */
  | 'cleared'
  /** Nothing of it is at the carrier: it goes back to its batch. */
  | 'notTaken'
  /** Parts of it are: the others are to be written again. */
  | 'resume';

/** `wallMs`: Unix milliseconds. `now`: monotonic. After each temporary refusal the wait doubles. */
export const answerPart = (
  outgoing: Outgoing,
  part: number,
  status: number,
  meaning: SubmitMeaning,
  wallMs: number,
  now: number,
  firstRetryMs: number,
): Verdict => {
  const wasInDoubt = outgoing.phase === 'doubt';
  if (outgoing.phase === 'settled') return 'open';
  if (!wasInDoubt) outgoing.awaited -= 1;
  if (meaning.class === 'accepted') {
    outgoing.accepted += 1;
    if (outgoing.accepted < outgoing.parts) return verdictOfRest(outgoing, now);
    outgoing.answeredMs = wallMs;
    outgoing.request = SUBMITTED;
    outgoing.phase = 'settled';
    return wasInDoubt ? 'cleared' : 'settled';
  }
  const isFinal = meaning.class === 'permanent' || wasInDoubt || isTriedOut(outgoing, meaning);
  if (isFinal) {
    outgoing.answeredMs = wallMs;
    outgoing.request = REFUSED;
    outgoing.dealResult = meaning.dealResult;
    outgoing.carrierCode = statusCodeText(status);
    outgoing.phase = 'settled';
    return wasInDoubt ? 'cleared' : 'settled';
  }
  outgoing.again.push(part);
  if (meaning.class === 'temporary') outgoing.notBefore = now + firstRetryMs * 2 ** (outgoing.tries - 1);
  else if (meaning.class === 'throttled') outgoing.notBefore = now + putOffMs(outgoing, firstRetryMs);
  return verdictOfRest(outgoing, now);
};

/** Wait of a throttled message; zero keeps it at the head. */
const putOffMs = (outgoing: Outgoing, firstRetryMs: number): number => {
  outgoing.throttles += 1;
  const over = outgoing.throttles - THROTTLES_AT_HEAD;
  return over <= 0 ? 0 : Math.min(LONGEST_PUT_OFF_MS, firstRetryMs * 2 ** (over - 1));
};

const isTriedOut = (outgoing: Outgoing, meaning: SubmitMeaning): boolean => {
  if (meaning.class !== 'temporary') return false;
  outgoing.tries += 1;
  return outgoing.tries >= TRY_LIMIT;
};

/** Some part is not taken yet. */
const verdictOfRest = (outgoing: Outgoing, now: number): Verdict => {
  if (outgoing.awaited > 0 || outgoing.again.length === 0) return 'open';
  if (outgoing.accepted > 0) return outgoing.nextPart > outgoing.parts ? 'resume' : 'open';
  outgoing.requeue(Math.max(now, outgoing.notBefore));
  return 'notTaken';
};

/** No answer came: what became of the message is not known. */
export const doubtMessage = (outgoing: Outgoing): void => {
  outgoing.phase = 'doubt';
  outgoing.request = IN_DOUBT;
};

/**
 * What a receipt for one part tells. One receipt comes per part: delivered when all parts are, failed when one is; the
 * first failure stays until all parts are delivered after all. True when the row is to change.
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

/** All that a receipt can still say about it is known. */
export const isFullyDelivered = (outgoing: Outgoing): boolean => outgoing.receipt === ClientStatus.Delivered;

export const optedOut = DealResult.OptedOut;
