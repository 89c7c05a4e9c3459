/**
 * Public holidays of the Philippines whose days follow from the year (Republic Act 9492 and later proclamations of
 * every year). Those of the Islamic calendar are proclaimed year by year and kept in the table that staff edit.
 */
const fixed: readonly [monthDay: string, name: string][] = [
  ['01-01', "New Year's Day"],
  ['04-09', 'Araw ng Kagitingan'],
  ['05-01', 'Labor Day'],
  ['06-12', 'Independence Day'],
  ['08-21', 'Ninoy Aquino Day'],
  ['11-01', "All Saints' Day"],
  ['11-30', 'Bonifacio Day'],
  ['12-08', 'Immaculate Conception'],
  ['12-25', 'Christmas Day'],
  ['12-30', 'Rizal Day'],
  ['12-31', 'Last Day of the Year'],
];

const dayMs = 86_400_000;
const text = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Easter Sunday, Unix milliseconds (the anonymous Gregorian algorithm). */
const easter = (year: number): number => {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return Date.UTC(year, Math.floor(f / 31) - 1, (f % 31) + 1);
};

/** National Heroes Day: the last Monday of August. */
const heroesDay = (year: number): number => {
  const last = Date.UTC(year, 7, 31);
  return last - ((new Date(last).getUTCDay() + 6) % 7) * dayMs;
};

/** Days as `2026-12-25`, in their order. */
export const listHolidays = (year: number): { day: string; name: string }[] =>
  [
    ...fixed.map(([monthDay, name]) => ({ day: `${year}-${monthDay}`, name })),
    { day: text(easter(year) - 3 * dayMs), name: 'Maundy Thursday' },
    { day: text(easter(year) - 2 * dayMs), name: 'Good Friday' },
    { day: text(easter(year) - dayMs), name: 'Black Saturday' },
    { day: text(heroesDay(year)), name: 'National Heroes Day' },
  ].sort((a, b) => a.day.localeCompare(b.day));
