/**
 * How a number in a spreadsheet becomes the text its author sees. Plain patterns (digits, grouping, decimals, percent,
 * literal signs) are applied; dates are written YYYY-MM-DD, times HH:mm, because a month's name would depend on an
 * unspecified language; everything else is the number itself.
 */
export type NumberFormat =
  | { readonly kind: 'general' }
  | { readonly kind: 'date'; readonly hasDate: boolean; readonly hasTime: boolean; readonly hasSeconds: boolean }
  | {
      readonly kind: 'fixed';
      readonly decimals: number;
      readonly minDigits: number;
      readonly grouped: boolean;
      readonly percent: boolean;
      readonly prefix: string;
      readonly suffix: string;
    };

export const generalFormat: NumberFormat = { kind: 'general' };

/** ECMA-376 Part 1, 18.8.30: formats that files refer to by number and do not spell out. */
const builtInFormats: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yy h:mm',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  45: 'mm:ss',
  47: 'mm:ss',
};

export function builtInFormat(id: number): NumberFormat {
  // 27-36 and 50-58 are dates of East Asian versions.
  if ((id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return parseNumberFormat('yyyy-mm-dd');
  const code = builtInFormats[id];
  return code === undefined ? generalFormat : parseNumberFormat(code);
}

export function parseNumberFormat(code: string): NumberFormat {
  const { pattern, literals } = splitLiterals(firstSection(code));
  // An elapsed time ([h]:mm) is no time of day.
  if (/\[[hms]+\]/iu.test(pattern) || /general/iu.test(pattern)) return generalFormat;
  if (/[ymdhs]/iu.test(pattern)) {
    const hasDate = /[yd]/iu.test(pattern) || (/m/iu.test(pattern) && !/[hs]/iu.test(pattern));
    return { kind: 'date', hasDate, hasTime: /[hs]/iu.test(pattern), hasSeconds: /s/iu.test(pattern) };
  }
  const match = /^(\uE000*)([#0,]*[#0])(?:\.([#0]+))?(%?)(\uE000*)$/u.exec(pattern);
  if (match === null) return generalFormat;
  const [, before = '', whole = '', decimals = '', percent = ''] = match;
  return {
    kind: 'fixed',
    decimals: Math.min(20, decimals.length),
    minDigits: Math.min(20, whole.replaceAll(/[^0]/gu, '').length),
    grouped: whole.includes(','),
    percent: percent !== '',
    prefix: literals.slice(0, before.length).join(''),
    suffix: literals.slice(before.length).join(''),
  };
}

function firstSection(code: string): string {
  return /^(?:"[^"]*"|\\.|[^;"\\])*/u.exec(code)?.[0] ?? '';
}

/** Takes the literal parts out of a format; each leaves a mark (U+E000, of private use) in its place. */
function splitLiterals(section: string): { pattern: string; literals: string[] } {
  const literals: string[] = [];
  const keep = (literal: string): string => {
    literals.push(literal);
    return '\uE000';
  };
  const parts = /"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[([hms]+)\]|\[[^\]]*\]|[_*].|([$+() :\u00A3\u20AC\u20B1-])/giu;
  const pattern = section.replaceAll(parts, (_whole, quoted, escaped, currency, elapsed, sign) => {
    if (typeof elapsed === 'string') return `[${elapsed}]`;
    const literal = quoted ?? escaped ?? currency ?? sign;
    return typeof literal === 'string' && literal !== '' ? keep(literal) : '';
  });
  return { pattern, literals };
}

/** `raw` is the number as the file stores it. */
export function formatNumber(raw: string, format: NumberFormat, date1904: boolean): string {
  if (format.kind === 'general') return plainNumber(raw);
  const value = Number(raw);
  if (!Number.isFinite(value)) return raw;
  return format.kind === 'date' ? formatDate(value, format, date1904) : formatFixed(value, format);
}

/**
 * Returns the number without exponent, in the 15 digits a spreadsheet shows. A large number written with an exponent
 * and fewer than ten digits (`9.17123E+09`) has lost the rest of them: it stays as written, so that it is not mistaken
 * for a phone.
 */
export function plainNumber(raw: string): string {
  if (/^-?\d{1,15}$/u.test(raw)) return raw;
  const exponent = /^-?(\d+)(?:\.(\d+))?e\+?(\d+)$/iu.exec(raw);
  const written = exponent ? `${exponent[1]}${exponent[2] ?? ''}`.replace(/^0+/u, '').length : 0;
  if (exponent && Number(exponent[3]) >= 9 && written < 10) return raw;
  const value = Number(raw);
  return Number.isFinite(value) && raw.trim() !== '' ? String(Number(value.toPrecision(15))) : raw;
}

/** 1234567 is 1,234,567. */
function groupDigits(digits: string): string {
  const head = digits.length % 3;
  const groups = digits.slice(head).match(/\d{3}/gu) ?? [];
  return (head === 0 ? groups : [digits.slice(0, head), ...groups]).join(',');
}

function formatFixed(value: number, format: Extract<NumberFormat, { kind: 'fixed' }>): string {
  const scaled = Number((Math.abs(value) * (format.percent ? 100 : 1)).toPrecision(15));
  if (scaled >= 1e21) return String(value);
  const [whole = '0', fraction] = scaled.toFixed(format.decimals).split('.');
  const padded = whole.padStart(format.minDigits, '0');
  const digits = format.grouped ? groupDigits(padded) : padded;
  const body = fraction === undefined ? digits : `${digits}.${fraction}`;
  const sign = value < 0 && /[1-9]/u.test(body) ? '-' : '';
  return `${sign}${format.prefix}${body}${format.percent ? '%' : ''}${format.suffix}`;
}

/** Days from the epoch of the workbook; the 1900 system believes in a 29 February 1900. */
function formatDate(serial: number, format: Extract<NumberFormat, { kind: 'date' }>, date1904: boolean): string {
  let days = date1904 ? serial + 1462 : serial;
  if (days < 0 || days >= 2_958_466) return String(serial);
  if (days < 60) days += 1;
  const seconds = Math.round((days - 25_569) * 86_400);
  const iso = new Date(seconds * 1000).toISOString();
  const date = iso.slice(0, 10);
  const time = iso.slice(11, format.hasSeconds ? 19 : 16);
  if (format.hasDate && format.hasTime) return `${date} ${time}`;
  return format.hasDate ? date : time;
}
