/**
 * Public holidays of the Philippines whose days follow from the year (Republic Act 9492 and later annual
 * proclamations). Those of the Islamic calendar are proclaimed year by year and stored in the table that staff edit.
 */
const fixed: readonly [monthDay: string, name: string, nameZh: string][] = [
  ['01-01', "New Year's Day", '元旦'],
  ['04-09', 'Araw ng Kagitingan', '英勇日'],
  ['05-01', 'Labor Day', '劳动节'],
  ['06-12', 'Independence Day', '独立日'],
  ['08-21', 'Ninoy Aquino Day', '尼诺·阿基诺日'],
  ['11-01', "All Saints' Day", '诸圣节'],
  ['11-30', 'Bonifacio Day', '博尼法西奥日'],
  ['12-08', 'Immaculate Conception', '圣母无染原罪节'],
  ['12-25', 'Christmas Day', '圣诞节'],
  ['12-30', 'Rizal Day', '黎刹日'],
  ['12-31', 'Last Day of the Year', '除夕（公历）'],
];

/** Additional days that were proclaimed for one year (Proclamation 1006 of 2025, for 2026). */
const proclaimed: Readonly<Record<number, readonly Holiday[]>> = {
  2026: [
    { day: '2026-02-17', name: 'Chinese New Year', nameZh: '春节' },
    { day: '2026-11-02', name: "All Souls' Day", nameZh: '追思节' },
    { day: '2026-12-24', name: 'Christmas Eve', nameZh: '平安夜' },
  ],
};

export interface Holiday {
  /** `2026-12-25`, in Manila. */
  readonly day: string;
  readonly name: string;
  /** For readers of Chinese; empty: there is only the other name. */
  readonly nameZh: string;
}

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

/** In the order of their days. */
export const listHolidays = (year: number): Holiday[] =>
  [
    ...fixed.map(([monthDay, name, nameZh]) => ({ day: `${year}-${monthDay}`, name, nameZh })),
    { day: text(easter(year) - 3 * dayMs), name: 'Maundy Thursday', nameZh: '濯足节' },
    { day: text(easter(year) - 2 * dayMs), name: 'Good Friday', nameZh: '耶稣受难日' },
    { day: text(easter(year) - dayMs), name: 'Black Saturday', nameZh: '圣周六' },
    { day: text(heroesDay(year)), name: 'National Heroes Day', nameZh: '国家英雄日' },
    ...(proclaimed[year] ?? []),
  ].sort((a, b) => a.day.localeCompare(b.day));
