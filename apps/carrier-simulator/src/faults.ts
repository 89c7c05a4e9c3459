import { assertShapes, isNumber, isOneOf, isShare, isStatus, type Shapes } from './check-shape.ts';
import { isMalformedName, MALFORMED } from './malformed.ts';

/** A carrier's faults from now on. Rates are 0…1 of the messages; everything is off unless set. */
export type Faults = {
  /** Refuse with these statuses: `[{ status: 0x58, rate: 0.05 }]`. */
  errors: readonly { status: number; rate: number }[];
  /** Refuse everything with `burstStatus` for the first `burstForMs` of every `burstEveryMs`. */
  burstStatus: number;
  burstEveryMs: number;
  burstForMs: number;
  /** The receipt comes before the response, which waits 50 ms. */
  earlyReceipt: number;
  duplicateReceipt: number;
  lostReceipt: number;
  /** Receipts this much later. */
  lateReceipt: number;
  lateReceiptMs: number;
  /** Keep all receipts back until switched off. */
  holdReceipts: boolean;
  lostResponse: number;
  lateResponse: number;
  lateResponseMs: number;
  duplicateResponse: number;
  wrongSequence: number;
  /** generic_nack ESME_RSYSERR instead of a response; the message is not taken. */
  genericNack: number;
  /** A malformed PDU before the response: that of `malformedName`, or `any` of those that leave the stream whole. */
  malformed: number;
  malformedName: string;
  /** Per submit: end the connection after it is taken and before it is answered. */
  disconnect: number;
  disconnectHow: DisconnectHow;
  /** Read nothing, write nothing, keep the connection. */
  frozen: boolean;
  /** Reads at most this many requests a second from each bind, and leaves the rest to TCP; 0 reads immediately. */
  slowReader: number;
  ignoreEnquireLink: boolean;
  /** query_sm without an answer. */
  lostQuery: number;
  /** Answers query_sm with this status; 0 is normal behaviour. */
  queryStatus: number;
  /** message_state of every message in answers to query_sm; 0: its own. */
  queryState: number;
  /** Answers binds with this status; 0 is normal behaviour. */
  bindStatus: number;
  bindDelayMs: number;
};

const DISCONNECT_HOW = ['unbind', 'reset', 'close'] as const;
export type DisconnectHow = (typeof DISCONNECT_HOW)[number];

export const NO_FAULTS: Faults = {
  errors: [],
  burstStatus: 0x58,
  burstEveryMs: 0,
  burstForMs: 0,
  earlyReceipt: 0,
  duplicateReceipt: 0,
  lostReceipt: 0,
  lateReceipt: 0,
  lateReceiptMs: 30_000,
  holdReceipts: false,
  lostResponse: 0,
  lateResponse: 0,
  lateResponseMs: 65_000,
  duplicateResponse: 0,
  wrongSequence: 0,
  genericNack: 0,
  malformed: 0,
  malformedName: 'any',
  disconnect: 0,
  disconnectHow: 'close',
  frozen: false,
  slowReader: 0,
  ignoreEnquireLink: false,
  lostQuery: 0,
  queryStatus: 0,
  queryState: 0,
  bindStatus: 0,
  bindDelayMs: 0,
};

/** The same for people. */
export const FAULTS_SAY: Readonly<Record<keyof Faults, string>> = {
  errors: 'refuse with these statuses, each at its rate: [{ "status": 88, "rate": 0.05 }]',
  burstStatus: 'refuse everything with this status in bursts: ESME_RTHROTTLED, or 20 for ESME_RMSGQFUL',
  burstEveryMs: 'from the begin of one burst to the next',
  burstForMs: 'how long each burst lasts; 0: none',
  earlyReceipt: 'rate: the receipt before the response, which waits 50 ms',
  duplicateReceipt: 'rate: the receipt twice',
  lostReceipt: 'rate: no receipt',
  lateReceipt: 'rate: the receipt later by lateReceiptMs',
  lateReceiptMs: 'how much later',
  holdReceipts: 'keep all receipts back until switched off',
  lostResponse: 'rate: taken, and never answered',
  lateResponse: 'rate: answered later by lateResponseMs',
  lateResponseMs: 'how much later',
  duplicateResponse: 'rate: the response twice',
  wrongSequence: 'rate: taken, and answered with a sequence number of nothing',
  genericNack: 'rate: generic_nack ESME_RSYSERR instead of a response; not taken',
  malformed: 'rate: a malformed PDU before the response',
  malformedName: 'which of them; any: one of those that leave the stream whole',
  disconnect: 'rate: end the connection after the submit is taken, before it is answered',
  disconnectHow: 'unbind, reset or close',
  frozen: 'read nothing, write nothing, keep the connection: half-open to the other side',
  slowReader: 'read so many requests a second of each bind, leave the rest to TCP; 0: as they come',
  ignoreEnquireLink: 'leave enquire_link unanswered',
  lostQuery: 'rate: query_sm without an answer',
  queryStatus: 'refuse query_sm with this status; 0: as usual',
  queryState: 'answer query_sm with this message_state, 1 to 8; 0: that of the message',
  bindStatus: 'refuse binds with this status; 0: as usual',
  bindDelayMs: 'answer binds so much later',
};

const isFlag = isOneOf(true, false);
const isDisconnectHow = isOneOf(...DISCONNECT_HOW);
const SHAPES: Shapes<Faults> = {
  errors: (value) =>
    Array.isArray(value) && value.every(isError) ? undefined : 'a list of { "status": 88, "rate": 0.05 }',
  burstStatus: isStatus,
  burstEveryMs: isNumber,
  burstForMs: isNumber,
  earlyReceipt: isShare,
  duplicateReceipt: isShare,
  lostReceipt: isShare,
  lateReceipt: isShare,
  lateReceiptMs: isNumber,
  holdReceipts: isFlag,
  lostResponse: isShare,
  lateResponse: isShare,
  lateResponseMs: isNumber,
  duplicateResponse: isShare,
  wrongSequence: isShare,
  genericNack: isShare,
  malformed: isShare,
  malformedName: (value) =>
    value === 'any' || isMalformedName(value) ? undefined : `any, ${MALFORMED.map(({ name }) => name).join(', ')}`,
  disconnect: isShare,
  disconnectHow: isDisconnectHow,
  frozen: isFlag,
  slowReader: isNumber,
  ignoreEnquireLink: isFlag,
  lostQuery: isShare,
  queryStatus: isStatus,
  queryState: isNumber,
  bindStatus: isStatus,
  bindDelayMs: isNumber,
};

/** The faults after a change; throws on a name that is not one of theirs and on a value it cannot have. */
export function changeFaults(faults: Faults, change: Record<string, unknown>): Faults {
  assertShapes('fault', SHAPES, change);
  return { ...faults, ...change };
}

export function readDisconnectHow(value: unknown): DisconnectHow {
  const must = isDisconnectHow(value);
  if (must !== undefined) throw new Error(`how must be ${must}`);
  return value as DisconnectHow;
}

function isError(entry: { status?: unknown; rate?: unknown } | null): boolean {
  return isStatus(entry?.status) === undefined && isShare(entry?.rate) === undefined;
}
