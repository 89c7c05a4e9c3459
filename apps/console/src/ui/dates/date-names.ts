import { intlTag, spaceHan } from '../../lib/format/make-formats.ts';
import { type Day, weekdayOf } from './calendar.ts';

export interface DateNames {
  /** October 2026. */
  month(month: Day): string;
  /** Monday, October 26, 2026. */
  day(day: Day): string;
  /** From the first day of the week on. */
  weekdays(weekStart: number): { short: string; long: string }[];
}

/** From Sunday on; `Intl` has no Sorani. The second is CLDR's narrow form. */
const kurdishWeekdays = [
  ['یەکشەممە', 'ی'],
  ['دووشەممە', 'د'],
  ['سێشەممە', 'س'],
  ['چوارشەممە', 'چ'],
  ['پێنجشەممە', 'پ'],
  ['ھەینی', 'ھ'],
  ['شەممە', 'ش'],
] as const;

const longestName = 5;

/** 4 January 2026 was a Sunday. */
const aWeek = Array.from({ length: 7 }, (_, weekday) => Date.UTC(2026, 0, 4 + weekday));

/** The names of months and days in a language. */
export function makeDateNames(locale: string): DateNames {
  const tag = intlTag(locale);
  const isKurdish = locale.startsWith('ku');
  const apart = locale.startsWith('zh') ? spaceHan : (text: string) => text;
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' });
  const month = format({ year: 'numeric', month: isKurdish ? '2-digit' : 'long' });
  const day = isKurdish
    ? format({ year: 'numeric', month: '2-digit', day: '2-digit' })
    : format({ weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' });
  const [abbreviated, long] = [format({ weekday: 'short' }), format({ weekday: 'long' })];
  // Where the abbreviations are whole names, a column is too narrow for them.
  const isShort = aWeek.every((each) => abbreviated.format(each).length <= longestName);
  const short = isShort ? abbreviated : format({ weekday: 'narrow' });
  const weekday = (index: number) => {
    const [name, initial] = kurdishWeekdays[index] ?? [];
    if (isKurdish) return { short: initial ?? '', long: name ?? '' };
    return { short: short.format(aWeek[index]), long: long.format(aWeek[index]) };
  };
  return {
    month: (first) => apart(month.format(Date.parse(first))),
    day: (each) => {
      const text = apart(day.format(Date.parse(each)));
      return isKurdish ? `${weekday(weekdayOf(each)).long} ${text}` : text;
    },
    weekdays: (weekStart) => Array.from({ length: 7 }, (_, index) => weekday((weekStart + index) % 7)),
  };
}
