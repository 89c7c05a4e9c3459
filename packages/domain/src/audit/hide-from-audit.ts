/**
 * Data that must never enter the audit log, whichever code writes it: secrets by the name of their field, MSISDNs by
 * their format. The log is kept forever and read by more people than those it describes.
 */
import { maskInText, maskMsisdn } from '../msisdn/show-msisdn.ts';

const HIDDEN = '•••';
/**
 * Fields whose text is a secret or the hash of one. Facts about them (`passwordChanged: true`, a date) are not text.
 */
const secretNames = /passw|secret$|secretKey|apiKey|token|sealed|hash$|credential|recoveryCode|^code$/i;
/**
 * Philippine mobile numbers in any of the usual spellings, and other countries' with a plus sign. Not as part of an ID:
 * nothing adjoining a word or a hyphen.
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
