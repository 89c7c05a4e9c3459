/** Numbers that staff assign as sources: short codes, and international numbers in any spelling. */
import { parseMsisdn } from '../msisdn/parse-msisdn.ts';

/** Reads a number as carriers and lists write it, digits only; null if it is neither. */
export const readAssignedNumber = (typed: string): string | null => {
  const plain = typed.replaceAll(/[\s().-]/g, '');
  if (/^\d{3,8}$/.test(plain)) return plain;
  const parsed = parseMsisdn(plain);
  if (parsed.ok) return parsed.msisdn;
  // A fixed line can be a source, though no recipient.
  return /^\+?[1-9]\d{8,14}$/.test(plain) ? plain.replace('+', '') : null;
};

export const assignedNumberKind = (number: string): 'shortCode' | 'longNumber' =>
  number.length <= 8 ? 'shortCode' : 'longNumber';
