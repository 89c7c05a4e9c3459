import {
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from 'libphonenumber-js/max';
import type { DialledNumber, MsisdnRefusal, MsisdnResult } from './msisdn-result.ts';

/** A number without "+" that may be one of another country; shorter ones are more likely a slip of the pen. */
const FOREIGN_LENGTH = 11;

/** Reads cleaned digits by the numbering plans of all countries; the metadata is large, so only this file loads it. */
export function parseByNumberingPlan({ international, digits }: DialledNumber, country: string): MsisdnResult {
  if (!isSupportedCountry(country)) throw new RangeError(`not a country with a numbering plan: ${country}`);
  const text = international ? `+${digits}` : digits;
  const number = parse(text, country);
  if (number?.isValid() !== true) return refuse(explain(text, digits, international, country));
  switch (number.getType()) {
    case 'MOBILE':
      return { ok: true, msisdn: number.number.slice(1), country: number.country ?? country, kind: 'mobile' };
    case 'FIXED_LINE_OR_MOBILE':
      return { ok: true, msisdn: number.number.slice(1), country: number.country ?? country, kind: 'mobileOrFixed' };
    case 'FIXED_LINE':
      return refuse('FIXED_LINE');
    default:
      return refuse('NOT_MOBILE');
  }
}

const parse = (text: string, defaultCountry: CountryCode) =>
  parsePhoneNumberFromString(text, { defaultCountry, extract: false });

const refuse = (reason: MsisdnRefusal): MsisdnResult => ({ ok: false, reason });

function explain(text: string, digits: string, international: boolean, country: CountryCode): MsisdnRefusal {
  if (!international && digits.length >= FOREIGN_LENGTH && !digits.startsWith('0')) {
    if (parse(`+${digits}`, country)?.isValid() === true) return 'NEEDS_PLUS';
  }
  // The library allows any length that some Philippine number has; a mobile has ten digits from its 9 on.
  const mobile = /^(?:63|0)?(9\d*)$/.exec(digits)?.[1];
  if (mobile !== undefined && (international ? digits.startsWith('63') : country === 'PH') && mobile.length !== 10) {
    return mobile.length < 10 ? 'TOO_SHORT' : 'TOO_LONG';
  }
  const fault = validatePhoneNumberLength(text, country);
  if (fault === 'TOO_SHORT' || fault === 'TOO_LONG') return fault;
  return 'INVALID_NUMBER';
}
