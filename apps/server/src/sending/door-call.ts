/** What a customer's software asks for at a door, and what it is told. */
import type { ErrorCode, SmsType } from '@pahatid/contract';

/** A message that the rules of its text, number and sender ID let pass. */
export interface DoorMessage {
  readonly smsType: SmsType;
  /** Null where the text came whole. */
  readonly templateId: string | null;
  readonly clientSid: string;
  readonly msisdn: string;
  readonly areaCode: string;
  readonly content: string;
  /** Segments. */
  readonly pkgTotal: number;
}

export interface DoorCall {
  readonly appId: string;
  readonly customerId: string;
  readonly messages: readonly DoorMessage[];
  /** The caller's own key: a call that comes again is answered as the first was. */
  readonly key: { readonly key: string; readonly requestHash: Buffer } | null;
  /** What is answered, and kept under the key; null where nothing was accepted, so that nothing is kept. */
  readonly answer: (results: readonly DoorResult[]) => { status: number; response: unknown } | null;
}

export type DoorResult = { readonly messageId: string; readonly pkgTotal: number } | { readonly refusal: Refusal };

/** In the words of the catalogue. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly params?: Record<string, string | number>;
}

export type DoorOutcome =
  /** Durable. */
  | { readonly kind: 'answered'; readonly response: unknown }
  /** What an earlier call with the same key was answered. */
  | { readonly kind: 'kept'; readonly response: unknown }
  /** None of it was accepted: why, for each message or for the call. */
  | { readonly kind: 'refused'; readonly results: readonly DoorResult[] }
  | { readonly kind: 'refusedCall'; readonly refusal: Refusal };
