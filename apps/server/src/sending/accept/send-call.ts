/** A send call of a customer's software, and its results. */
import type { ErrorCode, SmsType } from '@pahatid/contract';
import type { MessageCallback, MessageExtra } from '@pahatid/db/queries/message-extras';
import type { SmppTextKey } from '@pahatid/db/queries/smpp-texts';

/** A message that the rules of its text, number and sender ID let pass. */
export interface CallMessage {
  readonly smsType: SmsType;
  /** Null if the call contains the complete text. */
  readonly templateId: string | null;
  readonly clientSid: string;
  readonly msisdn: string;
  readonly areaCode: string;
  readonly content: string;
  /** Segments. */
  readonly pkgTotal: number;
  /** Seconds; default: as long as the application allows. */
  readonly validFor?: number | null;
  /** Not sent before this instant; default: immediately. */
  readonly notBefore?: Date | null;
  /** How it was submitted by SMPP; default: it was not. */
  readonly smpp?: string | null;
  /** What its software asked for in addition; default: nothing. */
  readonly extra?: CallExtra | null;
  /** Ids that its software knows instead of the one of the message. */
  readonly issued?: readonly IssuedToSoftware[];
}

export interface CallExtra extends MessageExtra {
  /** Refused if the application gave the reference to another message. */
  readonly mustBeUnique: boolean;
  /** Default: that of its application. */
  readonly callback: MessageCallback | null;
}

export interface IssuedToSoftware {
  readonly issuedId: bigint;
  /** registered_delivery */
  readonly asked: number;
}

export interface SendCall {
  readonly appId: string;
  readonly customerId: string;
  readonly messages: readonly CallMessage[];
  /** The caller's own key: a call that comes again is answered as the first was. */
  readonly key: { readonly key: string; readonly requestHash: Buffer } | null;
  /** How long it waits for a commit that others begin, milliseconds; default: not at all. */
  readonly mayWaitMs?: number;
  /** A text that was joined from parts; it is deleted with the commit that accepts it. */
  readonly joined?: { readonly key: SmppTextKey; readonly textId: string };
  /** The response, which is also stored under the key; null if nothing was accepted, so that nothing is stored. */
  readonly answer: (results: readonly SendCallResult[]) => { status: number; response: unknown } | null;
}

export type SendCallResult = { readonly messageId: string; readonly pkgTotal: number } | { readonly refusal: Refusal };

/** In terms of the catalogue. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly params?: Record<string, string | number>;
}

export type CallOutcome =
  /** Durable. */
  | { readonly kind: 'answered'; readonly response: unknown }
  /** What an earlier call with the same key was answered. */
  | { readonly kind: 'kept'; readonly response: unknown }
  /** None of it was accepted: why, for each message or for the call. */
  | { readonly kind: 'refused'; readonly results: readonly SendCallResult[] }
  | { readonly kind: 'refusedCall'; readonly refusal: Refusal };
