/**
 * Parses a cell's content to an MSISDN (international number, digits only: 639171234567). Philippine mobiles take a
 * compiled path; all others use the world's numbering plans. Both read the same cleaned digits and agree.
 */
import type { DialledNumber, MsisdnRefusal, MsisdnResult } from './msisdn-result.ts';
import { parseByNumberingPlan } from './numbering-plan.ts';

export function parseMsisdn(raw: string, options: { defaultCountry?: string } = {}): MsisdnResult {
  const dialled = cleanNumber(raw);
  if (typeof dialled === 'string') return { ok: false, reason: dialled };
  const country = options.defaultCountry ?? 'PH';
  const mobile = country === 'PH' || dialled.international ? readPhilippineMobile(dialled) : null;
  if (mobile !== null) return { ok: true, msisdn: mobile, country: 'PH', kind: 'mobile' };
  return parseByNumberingPlan(dialled, country);
}

/** Longer cells hold no number, and are not worth reading. */
const LONGEST = 64;
const PLAIN_DIGITS = /^\d{1,20}$/;
const EXPONENT = /^[+-]?\d+(?:[.,]\d*)?e[+-]?\d+$/i;
/** A number cell written with decimals by the program that exported it; the zero is no digit that a number lacks. */
const DECIMAL_TAIL = /^(\+?\d{10,15}|[1-9]\d{8})\.0{1,4}$/;
/** A fraction: no phone number separates a single digit by its only point. */
const FRACTION = /^(?:\d\.\d+|\d+\.\d)$/;
const SEPARATORS = /[\s\-()[\]./‐-―−]+/g;

/** Strips characters that people write between digits; or returns why there is no number. */
export function cleanNumber(raw: string): DialledNumber | MsisdnRefusal {
  if (PLAIN_DIGITS.test(raw)) return toDialled(raw);
  let text = raw.trim();
  if (text === '') return 'EMPTY';
  if (text.startsWith('=')) return 'FORMULA';
  if (text.length > LONGEST) return 'NOT_A_NUMBER';
  if (!/^[\x20-\x7e]*$/.test(text)) text = foldDigits(text);
  // The mark by which a spreadsheet keeps a number as text.
  if (text.startsWith("'")) text = text.slice(1);
  if (EXPONENT.test(text.replace(/\s/g, ''))) return 'DAMAGED';
  text = DECIMAL_TAIL.exec(text)?.[1] ?? text;
  if (FRACTION.test(text)) return 'NOT_A_NUMBER';
  const dialled = text.replace(SEPARATORS, '');
  if (/^\+\d+$/.test(dialled)) return { international: true, digits: dialled.slice(1) };
  return /^\d+$/.test(dialled) ? toDialled(dialled) : 'NOT_A_NUMBER';
}

function toDialled(digits: string): DialledNumber {
  const international = digits.startsWith('00');
  return { international, digits: international ? digits.slice(2) : digits };
}

/** Full-width and Arabic digits as ASCII; marks of direction, which come along with copied numbers, removed. */
function foldDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .trim();
}

/** First three digits of the mobile ranges of the Philippine numbering plan; the rest is free. */
const MOBILE_RANGE = /^(?:8(?:1[37]|9[5-8])|9(?:0[5-9]|1[0-24-9]|[235-7]\d|4[2-9]|8[135-9]|9[1-9]))/;
const RANGES: readonly boolean[] = /* @__PURE__ */ Array.from({ length: 1000 }, (_, i) =>
  MOBILE_RANGE.test(String(i).padStart(3, '0')),
);

function readPhilippineMobile({ international, digits }: DialledNumber): string | null {
  let start: number;
  if (digits.length === 12 && digits.startsWith('63')) start = 2;
  else if (international) return null;
  else if (digits.length === 11 && digits.charCodeAt(0) === 0x30) start = 1;
  else if (digits.length === 10) start = 0;
  else return null;
  const range =
    (digits.charCodeAt(start) - 0x30) * 100 +
    (digits.charCodeAt(start + 1) - 0x30) * 10 +
    (digits.charCodeAt(start + 2) - 0x30);
  if (RANGES[range] !== true) return null;
  return start === 2 ? digits : `63${start === 1 ? digits.slice(1) : digits}`;
}
