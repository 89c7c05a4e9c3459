/**
 * What processes say about a message for its trace. Off by default: then there is no recorder, and each place that could
 * say something compares with null. Never a phone, a text or a customer: ids, lanes, accounts and statuses.
 */
import type { SmsType } from '@pahatid/contract';

export interface AcceptedMessage {
  readonly messageId: bigint;
  readonly smsType: number;
}

export interface SubmittedPart {
  readonly messageId: bigint;
  /** Name of the account. */
  readonly supplier: string;
  readonly lane: SmsType;
  readonly part: number;
  /** command_status of the response; null: none in time, or the session ended first. */
  readonly status: number | null;
  /** How long ago it was written, milliseconds. */
  readonly tookMs: number;
}

export interface StoredReceipt {
  readonly messageId: bigint;
  readonly clientStatus: number;
  readonly carrierCode: string | null;
}

/** Instants are Unix milliseconds of this machine's clock; each call means that what it says has ended now. */
export interface MessageTraces {
  /** `by`: a call of software, or a task or job. */
  accepted(messages: readonly AcceptedMessage[], by: 'call' | 'task', sinceMs: number): void;
  submitted(part: SubmittedPart): void;
  /** Receipts that a transaction stored, since it began. */
  received(receipts: readonly StoredReceipt[], sinceMs: number): void;
}

let recorder: MessageTraces | null = null;

/** Null: traces are off in this process. */
export const getTraces = (): MessageTraces | null => recorder;

export const setTraces = (traces: MessageTraces | null): void => {
  recorder = traces;
};
