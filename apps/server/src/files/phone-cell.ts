import type { MsisdnRefusal } from '@pahatid/domain';
import { parseMsisdn } from '@pahatid/domain/msisdn';

export type PhoneCell =
  | { readonly ok: true; readonly msisdn: string }
  | { readonly ok: false; readonly reason: MsisdnRefusal };

export function readPhone(text: string, isFormula: boolean): PhoneCell {
  return isFormula ? { ok: false, reason: 'FORMULA' } : parseMsisdn(text);
}

/** Longest text that may contain a number, and the fewest digits of a number; other cells are skipped. */
const longestNumber = 64;
const fewDigits = /(?:\p{Nd}\P{Nd}{0,3}){4}/u;

/**
 * Returns how strongly a cell suggests that its column holds phones: 1 for a valid number, a half for a malformed one,
 * so that a damaged column is found, too, and its rows are rejected for the right reason.
 */
export function weighPhone(text: string): number {
  if (text.length > longestNumber || !fewDigits.test(text)) return 0;
  const result = parseMsisdn(text);
  if (result.ok) return 1;
  return result.reason === 'DAMAGED' || result.reason === 'FIXED_LINE' ? 0.5 : 0;
}
