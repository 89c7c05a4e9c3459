/**
 * What must not get into the audit log, whoever writes it: secrets by the name of their field, phones by their shape. The
 * log is kept for ever and read by more people than what it speaks of.
 */
import { maskInText, maskMsisdn } from '../msisdn/show-msisdn.ts';

const HIDDEN = '•••';
/** Fields whose text is a secret or the hash of one. Facts about them (`passwordChanged: true`, a date) are no text. */
const secretNames = /passw|secret$|secretKey|token|sealed|hash$|credential|recoveryCode|^code$/i;
/**
 * Philippine mobile numbers in any of the usual spellings, and other countries' with their plus. Not as a part of an id:
 * nothing that a word or a hyphen is stuck to.
 */
const phones = /(?<![\w-])(?:(?:\+?63|0)[ -]?9\d{2}[ -]?\d{3}[ -]?\d{4}|\+\d{8,15})(?![\w-])/g;

/** Masks every phone in a text. */
export const hidePhones = (text: string): string =>
  text.replaceAll(phones, (found) => {
    const digits = found.replaceAll(/\D/g, '');
    return digits.startsWith('0') ? maskInText(digits) : maskMsisdn(digits);
  });

/** A copy without secrets and with phones masked. */
export function hideFromAudit(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return secretNames.test(name) ? HIDDEN : hidePhones(value);
  if (Array.isArray(value)) return value.map((each) => hideFromAudit(each, name));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hideFromAudit(each, key)]));
}
