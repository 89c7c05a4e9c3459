/**
 * Dates of receipts: 10 digits in Appendix B (YYMMDDhhmm), 12 with seconds or with the century, or 14. They are the SMSC's
 * local time and name no zone, so they are answered as local time without one: `2010-05-23T20:39:00`.
 */
export type ReceiptDateFormat = 'YYMMDDhhmm' | 'YYMMDDhhmmss' | 'YYYYMMDDhhmm' | 'YYYYMMDDhhmmss';

/** Undefined for what is no date. */
export function parseReceiptDate(digits: string): string | undefined {
  switch (digits.length) {
    case 10:
      return localTime(`20${digits}00`);
    case 12:
      // Read with a century, the years 2001 to 2012 are the only ones whose digits also make sense without it.
      return localTime(`20${digits}`) ?? localTime(`${digits}00`);
    case 14:
      return localTime(digits);
    default:
      return undefined;
  }
}

export function formatReceiptDate(at: Date, format: ReceiptDateFormat, offsetMinutes = 0): string {
  const digits = new Date(at.getTime() + offsetMinutes * 60_000).toISOString().replace(/\D/g, '').slice(0, 14);
  const withCentury = format.startsWith('YYYY');
  return digits.slice(withCentury ? 0 : 2, format.endsWith('ss') ? 14 : 12);
}

const DIGITS = /^(\d{4})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])([0-5]\d)([0-5]\d)$/;

/** From YYYYMMDDhhmmss. */
function localTime(digits: string): string | undefined {
  const match = DIGITS.exec(digits);
  if (match === null) return undefined;
  return `${match[1]}-${match[2]}-${match[3]}T${match[4]}:${match[5]}:${match[6]}`;
}
