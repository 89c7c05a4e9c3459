import type { MsisdnRefusal } from '@pahatid/domain';
import { parseMsisdn } from '@pahatid/domain/msisdn';

export type PhoneCell =
  | { readonly ok: true; readonly msisdn: string }
  | { readonly ok: false; readonly reason: MsisdnRefusal };

export function readPhone(text: string, isFormula: boolean): PhoneCell {
  return isFormula ? { ok: false, reason: 'FORMULA' } : parseMsisdn(text);
}

/** Longest text a number may stand in, and the fewest digits it has; all else need not be looked at more closely. */
const longestNumber = 64;
const fewDigits = /(?:\p{Nd}\P{Nd}{0,3}){4}/u;

/**
 * How much a cell says that its column is the one of phones: 1 for a number that can be sent to, a half for one that
 * was meant to be, so that a spoilt column is found, too, and its rows are refused for the right reason.
 */
export function weighPhone(text: string): number {
  if (text.length > longestNumber || !fewDigits.test(text)) return 0;
  const result = parseMsisdn(text);
  if (result.ok) return 1;
  return result.reason === 'DAMAGED' || result.reason === 'FIXED_LINE' ? 0.5 : 0;
}
