/** What is typed for a day and a time, in the reader's language or in numbers. */
import { latinDigits } from '../../lib/codes/latin-digits.ts';
import { type Day, isDay } from './calendar.ts';

interface DateSpelling {
  /** Names of the months, lower case and without full stops, the longest first. */
  names: readonly { name: string; month: number }[];
  /** The order of the parts in numbers. */
  order: readonly ('year' | 'month' | 'day')[];
}

const spellings = new Map<string, DateSpelling>();

const plain = (text: string): string =>
  latinDigits(text).toLowerCase().replaceAll('.', ' ').replaceAll(/\s+/g, ' ').trim();

/** How a language, with a tag for `Intl`, writes dates. */
function spellingOf(tag: string): DateSpelling {
  const known = spellings.get(tag);
  if (known) return known;
  const names = new Map<string, number>();
  for (const style of ['long', 'short'] as const)
    for (const withDay of [true, false]) {
      const format = new Intl.DateTimeFormat(tag, {
        timeZone: 'UTC',
        month: style,
        // With a day next to it, a month is inflected in many languages.
        ...(withDay && { day: 'numeric', year: 'numeric' }),
      });
      for (let month = 1; month <= 12; month++) {
        const part = format.formatToParts(Date.UTC(2026, month - 1, 15)).find(({ type }) => type === 'month');
        const name = plain(part?.value ?? '');
        // "11月" is understood as a number.
        if (name !== '' && !/\d/.test(name)) names.set(name, month);
      }
    }
  const order = new Intl.DateTimeFormat(tag, { timeZone: 'UTC', year: 'numeric', month: 'numeric', day: 'numeric' })
    .formatToParts(0)
    .flatMap(({ type }) => (type === 'year' || type === 'month' || type === 'day' ? [type] : []));
  const spelling = {
    names: [...names].map(([name, month]) => ({ name, month })).toSorted((a, b) => b.name.length - a.name.length),
    order,
  };
  spellings.set(tag, spelling);
  return spelling;
}

const pad = (value: number, length: number): string => String(value).padStart(length, '0');

const toDay = (year: number, month: number, date: number): Day | null => {
  const day = `${pad(year, 4)}-${pad(month, 2)}-${pad(date, 2)}`;
  return year >= 1000 && isDay(day) ? day : null;
};

/**
 * Returns the typed day, or null if it is none: as the language writes it, as numbers in its order, or with the year
 * first. Without a year it is the last such day up to `today`.
 */
export function readDay(typed: string, tag: string, today: Day): Day | null {
  const text = plain(typed);
  const { names, order } = spellingOf(tag);
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (compact) return toDay(Number(compact[1]), Number(compact[2]), Number(compact[3]));
  const numbers = text.match(/\d+/g) ?? [];
  const month = names.find(({ name }) => text.includes(name))?.month;
  const year = numbers.find((each) => each.length === 4);
  const rest = numbers.filter((each) => each !== year).map(Number);
  const parts = month === undefined ? toMonthAndDate(rest, year === numbers[0] ? undefined : order) : [month, rest[0]];
  const [number, date] = parts;
  if (number === undefined || date === undefined) return null;
  if (numbers.length - (year === undefined ? 0 : 1) !== (month === undefined ? 2 : 1)) return null;
  if (year !== undefined) return toDay(Number(year), number, date);
  const thisYear = Number(today.slice(0, 4));
  const day = toDay(thisYear, number, date);
  return day !== null && day > today ? toDay(thisYear - 1, number, date) : day;
}

/** After a year, and in languages that begin with it, the month comes first. */
const toMonthAndDate = ([first, second]: number[], order: DateSpelling['order'] | undefined) =>
  order !== undefined && order.indexOf('day') < order.indexOf('month') ? [second, first] : [first, second];

/** Returns the minutes of a typed time from 00:00 to 24:00: "9", "930", "9:30", "18.30"; null if it is none. */
export function readTime(typed: string): number | null {
  const [, hours, minutes = '0'] = /^(\d{1,2})(?:[:.\s]?(\d{2}))?$/.exec(latinDigits(typed).trim()) ?? [];
  if (hours === undefined || Number(minutes) > 59) return null;
  const time = Number(hours) * 60 + Number(minutes);
  return time <= 1440 ? time : null;
}

export const timeText = (minutes: number): string => `${pad(Math.floor(minutes / 60), 2)}:${pad(minutes % 60, 2)}`;
