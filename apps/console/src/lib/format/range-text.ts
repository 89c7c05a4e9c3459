import type { Formats } from './make-formats.ts';
import { instantToWall } from './zoned-time.ts';

const years = new Map<string, Intl.DateTimeFormat>();

function yearOf(time: string | number, zone: string): string {
  const known =
    years.get(zone) ?? new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', { timeZone: zone, year: 'numeric' });
  years.set(zone, known);
  return known.format(new Date(time));
}

/** Whether the year must be shown: without one a day of this year is meant. */
export const isOtherYear = (time: string, { zone }: Formats): boolean =>
  yearOf(time, zone) !== yearOf(Date.now(), zone);

export const isMidnight = (time: string, zone: string): boolean => instantToWall(time, zone).endsWith('T00:00:00');

/**
 * Returns first and last day of a range of whole days, else its ends to the minute; both with their years if one is not
 * this year.
 */
export function endsText(from: string, to: string, isWhole: boolean, formats: Formats): string {
  // A range ends before its end: at midnight, with the day before.
  const last = isWhole ? new Date(Date.parse(to) - 1).toISOString() : to;
  const isOther = isOtherYear(from, formats) || isOtherYear(last, formats);
  const style = isWhole ? (isOther ? 'date' : 'monthDay') : isOther ? 'dateTime' : 'short';
  const [first, end] = [formats.date(from, style), formats.date(last, style)];
  return first === end ? first : `${first} – ${end}`;
}
