/** Why a text is no number that can be sent to. */
export type MsisdnRefusal =
  | 'EMPTY'
  /** A formula, whose result can't be trusted. */
  | 'FORMULA'
  /** A spreadsheet rounded it away (9.17123E+09): the digits are lost, so it is never guessed. */
  | 'DAMAGED'
  | 'NOT_A_NUMBER'
  | 'TOO_SHORT'
  | 'TOO_LONG'
  /** The right length, but no such range in the country's numbering plan. */
  | 'INVALID_NUMBER'
  /** A number of another country without "+" or "00". */
  | 'NEEDS_PLUS'
  | 'FIXED_LINE'
  /** Toll-free, premium, pager, internet telephony and the like. */
  | 'NOT_MOBILE';

/** In some countries a number does not show whether it is mobile or fixed. */
export type MsisdnKind = 'mobile' | 'mobileOrFixed';

export type MsisdnResult =
  | { ok: true; msisdn: string /** ISO 3166 alpha-2. */; country: string; kind: MsisdnKind }
  | { ok: false; reason: MsisdnRefusal };

/** A number as people write it, reduced to what matters. */
export interface DialledNumber {
  /** Written with "+" or "00". */
  international: boolean;
  digits: string;
}
