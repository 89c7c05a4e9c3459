/** What a person types to find a number, as the digits that an MSISDN begins with. */
import type { Role } from '@pahatid/contract';
import { parseMsisdn } from '@pahatid/domain';
import { seesPhones } from './phones.ts';

/** Digits at the head of a number that the mask leaves: country and operator of a Philippine one. */
const shownDigits = 5;
/** No number begins with it. */
const noNumber = 'none';

/**
 * Whole numbers in any spelling become their MSISDN; beginnings are read as Philippine ones (`0917`, `917`) unless
 * they say a country (`+65`, `0065`, `63`). Words without a digit find no number; undefined where nothing was typed.
 */
export function phonePrefix(typed: string): string | undefined {
  const whole = parseMsisdn(typed);
  if (whole.ok) return whole.msisdn;
  const digits = typed.replace(/\D/g, '').slice(0, 15);
  if (digits === '') return typed.trim() === '' ? undefined : noNumber;
  if (typed.trim().startsWith('+')) return digits;
  if (digits.startsWith('00')) return digits.slice(2);
  if (digits.startsWith('0')) return `63${digits.slice(1)}`;
  return digits.startsWith('9') || digits.startsWith('8') ? `63${digits}` : digits;
}

/**
 * The same for a user: who sees numbers masked finds a whole number again, and a beginning by its visible digits alone,
 * or the hidden ones could be found out one by one.
 */
export function phonePrefixFor(user: { readonly role: Role }, typed: string): string | undefined {
  const prefix = phonePrefix(typed);
  return seesPhones(user.role) || parseMsisdn(typed).ok ? prefix : prefix?.slice(0, shownDigits);
}
