/**
 * message_state, SMPP 3.4 §5.2.28, and the stat values of Appendix B, table B-2. Real SMSCs use more values than the
 * appendix; those found in the field are listed, any other is `unrecognised` and never treated as a failure.
 */
export const MESSAGE_STATE = {
  ENROUTE: 1,
  DELIVERED: 2,
  EXPIRED: 3,
  DELETED: 4,
  UNDELIVERABLE: 5,
  ACCEPTED: 6,
  UNKNOWN: 7,
  REJECTED: 8,
} as const;

const STAT_BY_STATE: ReadonlyMap<number, string> = new Map([
  [MESSAGE_STATE.ENROUTE, 'ENROUTE'],
  [MESSAGE_STATE.DELIVERED, 'DELIVRD'],
  [MESSAGE_STATE.EXPIRED, 'EXPIRED'],
  [MESSAGE_STATE.DELETED, 'DELETED'],
  [MESSAGE_STATE.UNDELIVERABLE, 'UNDELIV'],
  [MESSAGE_STATE.ACCEPTED, 'ACCEPTD'],
  [MESSAGE_STATE.UNKNOWN, 'UNKNOWN'],
  [MESSAGE_STATE.REJECTED, 'REJECTD'],
]);

/** Returns the stat value of Appendix B for a message_state, or undefined for a reserved one. */
export function statOfState(state: number): string | undefined {
  return STAT_BY_STATE.get(state);
}

/**
 * Returns the message_state of a stat value, for the TLV of a receipt. A value not in the appendix gets the state with
 * the same meaning; UNKNOWN for an unrecognised one.
 */
export function stateOfStat(stat: string): number {
  for (const [state, word] of STAT_BY_STATE) if (word === stat) return state;
  const outcome = outcomeOfStat(stat);
  if (outcome === 'failed') return MESSAGE_STATE.UNDELIVERABLE;
  return outcome === 'not_final' ? MESSAGE_STATE.ENROUTE : MESSAGE_STATE.UNKNOWN;
}

export type StatOutcome =
  | 'delivered'
  | 'failed'
  /** Final, and the SMSC itself does not know. */
  | 'unknown'
  /** Another receipt follows. */
  | 'not_final'
  /** An unlisted value: no outcome can be derived from it. */
  | 'unrecognised';

const OUTCOMES: ReadonlyMap<string, StatOutcome> = new Map([
  ['DELIVRD', 'delivered'],
  ['UNDELIV', 'failed'],
  ['EXPIRED', 'failed'],
  ['REJECTD', 'failed'],
  ['DELETED', 'failed'],
  ['FAILED', 'failed'],
  ['SYSERR', 'failed'],
  ['NOCRED', 'failed'],
  ['UNKNOWN', 'unknown'],
  ['ENROUTE', 'not_final'],
  ['ACCEPTD', 'not_final'],
  ['BUFFRED', 'not_final'],
  ['BUFFERD', 'not_final'],
  ['ACKED', 'not_final'],
  ['SCHEDULED', 'not_final'],
]);

/**
 * Returns the meaning of a stat. Some carriers never send more than ACCEPTD: `acceptedIsFinal` treats it as delivered.
 */
export function outcomeOfStat(stat: string, acceptedIsFinal = false): StatOutcome {
  if (acceptedIsFinal && stat === 'ACCEPTD') return 'delivered';
  return OUTCOMES.get(stat) ?? 'unrecognised';
}
