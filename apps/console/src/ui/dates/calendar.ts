/** Days of the calendar without a zone: `YYYY-MM-DD`, which also sorts; months are their first days. */
export type Day = string;

const dayMs = 86_400_000;
const toTime = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
const toDay = (time: number): Day => new Date(time).toISOString().slice(0, 10);

export const addDays = (day: Day, count: number): Day => toDay(toTime(day) + count * dayMs);
export const monthOf = (day: Day): Day => `${day.slice(0, 7)}-01`;
/** 0 is Sunday. */
export const weekdayOf = (day: Day): number => new Date(toTime(day)).getUTCDay();

const lastOf = (month: Day): Day => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return toDay(Date.UTC(year, number, 0));
};

/** The same day of another month, or the last day of one that is shorter. */
export function addMonths(day: Day, count: number): Day {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const first = toDay(Date.UTC(year, month - 1 + count, 1));
  const last = lastOf(first);
  const same = `${first.slice(0, 8)}${String(date).padStart(2, '0')}`;
  return same < last ? same : last;
}

/** Returns whether `YYYY-MM-DD` names a day that exists. */
export function isDay(text: string): boolean {
  const time = toTime(text);
  return !Number.isNaN(time) && toDay(time) === text;
}

/** The weeks of a month, each of seven days; null is a day of another month. */
export function weeksOf(month: Day, weekStart: number): (Day | null)[][] {
  const last = lastOf(month);
  const weeks: (Day | null)[][] = [];
  let day = addDays(month, -((weekdayOf(month) - weekStart + 7) % 7));
  while (day <= last) {
    const start = day;
    weeks.push(
      Array.from({ length: 7 }, (_, index) => {
        const each = addDays(start, index);
        return monthOf(each) === month ? each : null;
      }),
    );
    day = addDays(day, 7);
  }
  return weeks;
}

// Regions of the console's languages whose week does not begin on Monday: weekData of CLDR 48. Not every browser has it.
const fromSunday = new Set('BD BR ID IL IN IS JP KR NP PH PT TH TW US'.split(' '));
const fromSaturday = new Set(['EG', 'IQ', 'IR']);

/** The first day of the week of a language's region; 0 is Sunday. */
export function weekStartOf(locale: string): number {
  const region = locale.split('-').at(-1) ?? '';
  if (fromSaturday.has(region)) return 6;
  return fromSunday.has(region) ? 0 : 1;
}
