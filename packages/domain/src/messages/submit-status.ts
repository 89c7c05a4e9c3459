/**
 * Meaning of a command_status in a submit_sm_resp for the message (SMPP 3.4 §5.1.3):
 * - `accepted`
 * - `throttled`: not taken, not the message's fault: it goes back to the head and the rate is cut
 * - `queueFull`: not taken, because the queue of this one number is full: only this message waits
 * - `temporary`: retry, up to a ceiling; also every unknown status
 * - `permanent`: this message will never be taken
 * - `bindFatal`: the session is unusable; the message goes back untouched and a new bind is made
 */
import { DealResult } from './deal-results.ts';

export type SubmitClass = 'accepted' | 'throttled' | 'queueFull' | 'temporary' | 'permanent' | 'bindFatal';

export interface SubmitMeaning {
  class: SubmitClass;
  dealResult: DealResult;
}

const table = new Map<number, SubmitMeaning>();
const set = (kind: SubmitClass, dealResult: DealResult, ...statuses: number[]): void => {
  for (const status of statuses) table.set(status, { class: kind, dealResult });
};

set('accepted', DealResult.Accepted, 0x00);
set('throttled', DealResult.TriesUsedUp, 0x58);
// Message Queue Full: of the number at most carriers; the profile states if it is that of the account.
set('queueFull', DealResult.TriesUsedUp, 0x14);
// system error, submit failed, temporary application error, unknown error
set('temporary', DealResult.TriesUsedUp, 0x08, 0x45, 0x64, 0xff);
// not bound as requested, already bound, bind failed, password, system_id, system_type
set('bindFatal', DealResult.RefusedByCarrier, 0x04, 0x05, 0x0d, 0x0e, 0x0f, 0x53);
set('permanent', DealResult.RefusedLength, 0x01);
set('permanent', DealResult.RefusedSender, 0x0a, 0x48, 0x49);
set('permanent', DealResult.RefusedDestination, 0x0b, 0x33, 0x34, 0x40, 0x50, 0x51);
set('permanent', DealResult.RefusedSchedule, 0x61, 0x62);
set(
  'permanent',
  DealResult.RefusedByCarrier,
  ...[0x02, 0x03, 0x06, 0x07, 0x0c, 0x11, 0x13, 0x15, 0x42, 0x43, 0x44, 0x54, 0x55, 0x63, 0x65, 0x66, 0x67],
  ...[0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xfe],
);

const unknown: SubmitMeaning = { class: 'temporary', dealResult: DealResult.TriesUsedUp };

/** `overrides`: classes of a carrier's own statuses, from its profile. */
export const readSubmitStatus = (
  status: number,
  overrides: Readonly<Record<number, SubmitClass>> = {},
): SubmitMeaning => {
  const meaning = table.get(status) ?? unknown;
  const own = overrides[status];
  if (own === undefined) return meaning;
  return { class: own, dealResult: own === meaning.class ? meaning.dealResult : DealResult.RefusedByCarrier };
};

/** Returns a status as shown with a message: `0x0B`. */
export const statusCodeText = (status: number): string => `0x${status.toString(16).toUpperCase().padStart(2, '0')}`;
