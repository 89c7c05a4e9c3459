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

/** From YYYYMMDDhhmmss. */
function localTime(digits: string): string | undefined {
  if (!/^\d{14}$/.test(digits)) return undefined;
  const number = (from: number, to: number) => Number(digits.slice(from, to));
  const month = number(4, 6);
  const day = number(6, 8);
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  if (number(8, 10) > 23 || number(10, 12) > 59 || number(12, 14) > 59) return undefined;
  const date = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6, 8)}`;
  return `${date}T${digits.slice(8, 10)}:${digits.slice(10, 12)}:${digits.slice(12, 14)}`;
}
