/**
 * Dates of receipts: 10 digits in Appendix B (YYMMDDhhmm), 12 with seconds or with the century, or 14. They are the
 * SMSC's local time and name no zone, so they are returned as local time without one, to the minute or second as given:
 * `2010-05-23T20:39`, `2010-05-23T20:39:00`.
 */
export type ReceiptDateFormat = 'YYMMDDhhmm' | 'YYMMDDhhmmss' | 'YYYYMMDDhhmm' | 'YYYYMMDDhhmmss';

/** Returns undefined if it is not a date. */
export function parseReceiptDate(digits: string): string | undefined {
  switch (digits.length) {
    case 10:
      return minuteOf(`20${digits}`);
    case 12:
      // When read with a century, the years 2001 to 2012 are the only ones whose digits also make sense without it.
      return localTime(`20${digits}`) ?? minuteOf(digits);
    case 14:
      return localTime(digits);
    default:
      return undefined;
  }
}

const TWO_DIGITS: readonly string[] = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));

/** From 0 to 99. */
const twoDigits = (n: number): string => TWO_DIGITS[n]!;

/** The years 0 to 9999. Put together by hand: a carrier writes two of them for every message. */
export function formatReceiptDate(at: Date, format: ReceiptDateFormat, offsetMinutes = 0): string {
  const local = new Date(at.getTime() + offsetMinutes * 60_000);
  const year = local.getUTCFullYear();
  const minutes =
    twoDigits(year % 100) +
    twoDigits(local.getUTCMonth() + 1) +
    twoDigits(local.getUTCDate()) +
    twoDigits(local.getUTCHours()) +
    twoDigits(local.getUTCMinutes());
  switch (format) {
    case 'YYMMDDhhmm':
      return minutes;
    case 'YYMMDDhhmmss':
      return minutes + twoDigits(local.getUTCSeconds());
    case 'YYYYMMDDhhmm':
      return twoDigits(Math.floor(year / 100)) + minutes;
    case 'YYYYMMDDhhmmss':
      return twoDigits(Math.floor(year / 100)) + minutes + twoDigits(local.getUTCSeconds());
  }
}

const DIGITS = /^(\d{4})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])([0-5]\d)([0-5]\d)$/;

/** From YYYYMMDDhhmm. */
const minuteOf = (digits: string): string | undefined => localTime(`${digits}00`)?.slice(0, -3);

/** From YYYYMMDDhhmmss. */
function localTime(digits: string): string | undefined {
  const match = DIGITS.exec(digits);
  if (match === null) return undefined;
  return `${match[1]}-${match[2]}-${match[3]}T${match[4]}:${match[5]}:${match[6]}`;
}
