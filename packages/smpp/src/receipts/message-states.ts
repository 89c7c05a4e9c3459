/**
 * message_state, SMPP 3.4 §5.2.28, and the words of Appendix B, table B-2. Real SMSCs use more words than the appendix
 * has; those met in the field are listed, any other is `unrecognised` and never taken for a failure.
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

/** The word of Appendix B for a message_state, or undefined for a reserved one. */
export function statOfState(state: number): string | undefined {
  return STAT_BY_STATE.get(state);
}

/**
 * The message_state of a word, for the TLV of a receipt. A word that the appendix does not have is given the state that
 * says the same; UNKNOWN for a word of nobody's.
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
  /** A word nobody listed: no outcome can be drawn from it. */
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

/** What a stat says. Some carriers never send more than ACCEPTD: `acceptedIsFinal` takes it for delivered. */
export function outcomeOfStat(stat: string, acceptedIsFinal = false): StatOutcome {
  if (acceptedIsFinal && stat === 'ACCEPTD') return 'delivered';
  return OUTCOMES.get(stat) ?? 'unrecognised';
}
