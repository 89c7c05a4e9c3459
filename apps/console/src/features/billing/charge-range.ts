import { instantToWall } from '../../lib/format/zoned-time.ts';

export const chargeRanges = ['7days', '30days', 'month', 'lastMonth'] as const;
export type ChargeRange = (typeof chargeRanges)[number];

export const rangeNamed = (text: string | undefined): ChargeRange =>
  chargeRanges.find((range) => range === text) ?? '30days';

const dayMs = 86_400_000;
const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** First and last day of a range in the zone's own days. */
export function daysOf(range: ChargeRange, zone: string, now: number): { from: string; to: string } {
  const today = instantToWall(now, zone).slice(0, 10);
  const todayMs = Date.parse(`${today}T00:00:00Z`);
  switch (range) {
    case '7days':
      return { from: dayText(todayMs - 6 * dayMs), to: today };
    case '30days':
      return { from: dayText(todayMs - 29 * dayMs), to: today };
    case 'month':
      return { from: `${today.slice(0, 7)}-01`, to: today };
    case 'lastMonth': {
      const last = Date.parse(`${today.slice(0, 7)}-01T00:00:00Z`) - dayMs;
      return { from: `${dayText(last).slice(0, 7)}-01`, to: dayText(last) };
    }
  }
}

/** Days of the month that are still to come, where the range is the month. */
export function daysAhead(range: ChargeRange, today: string): string[] {
  if (range !== 'month') return [];
  const [year = 0, month = 1, first = 1] = today.split('-').map(Number);
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return Array.from({ length: last - first }, (_, at) => dayText(Date.UTC(year, month - 1, first + 1 + at)));
}

/** As many days that precede them. */
export function daysBefore({ from, to }: { from: string; to: string }): { from: string; to: string } {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return { from: dayText(first - (last - first) - dayMs), to: dayText(first - dayMs) };
}

/** This month and those before it, newest first: `2026-03`. */
export function lastMonths(count: number, zone: string, now: number): string[] {
  const [year = 0, month = 1] = instantToWall(now, zone).slice(0, 7).split('-').map(Number);
  return Array.from({ length: count }, (_, back) => dayText(Date.UTC(year, month - 1 - back, 1)).slice(0, 7));
}
