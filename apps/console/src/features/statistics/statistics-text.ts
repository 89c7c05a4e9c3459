import { type Statistics, type StatisticsDimension, type StatisticsMetric, TimeUnit } from '@pahatid/contract';
import type { Formats } from '../../lib/format/make-formats.ts';
import { instantToWall } from '../../lib/format/zoned-time.ts';
import type { useText } from '../../lib/i18n/use-text.tsx';
import type { Group } from './series.ts';
import { isRate } from './view.ts';

type Text = ReturnType<typeof useText>;

/** Returns the label of a dimension's value: names for ids, a text for unknown ones. */
export function valueName(
  dimension: StatisticsDimension,
  value: string | null,
  names: Statistics['names'],
  t: Text,
): string {
  if (dimension === 'carrier' && (value === null || value === 'unknown')) return t('statistics.carrier.unknown');
  if (value === null) return '–';
  return names[value] ?? value;
}

export function groupName(group: Group, names: Statistics['names'], t: Text): string {
  if (group.values === null) return t('statistics.others');
  const parts = Object.entries(group.values).map(([dimension, value]) =>
    valueName(dimension as StatisticsDimension, value ?? null, names, t),
  );
  return parts.length === 0 ? t('statistics.all') : parts.join(' · ');
}

export const figureText = (metric: StatisticsMetric, value: number | null, formats: Formats): string =>
  value === null ? '–' : isRate(metric) ? formats.percent(value) : formats.number(value);

const monthStyle = { year: 'numeric', month: 'short' } as const;

const years = new Map<string, Intl.DateTimeFormat>();

function yearOf(time: string | number, zone: string): string {
  const known =
    years.get(zone) ?? new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', { timeZone: zone, year: 'numeric' });
  years.set(zone, known);
  return known.format(new Date(time));
}

/** Whether the year must be shown: without one a day of this year is meant. */
const isOtherYear = (time: string, { zone }: Formats): boolean => yearOf(time, zone) !== yearOf(Date.now(), zone);

/** A step under the axis and in full. */
export function stepText(
  time: string,
  unit: TimeUnit,
  formats: Formats,
  locale: string,
): { tick: string; title: string } {
  const isOther = isOtherYear(time, formats);
  if (unit === TimeUnit.Minute)
    return { tick: formats.date(time, 'minute'), title: formats.date(time, isOther ? 'dateTime' : 'short') };
  if (unit === TimeUnit.Day)
    return { tick: formats.date(time, 'monthDay'), title: formats.date(time, isOther ? 'date' : 'day') };
  const month = new Intl.DateTimeFormat(`${locale}-u-ca-gregory-nu-latn`, {
    ...monthStyle,
    timeZone: formats.zone,
  }).format(new Date(time));
  return { tick: month, title: month };
}

const isMidnight = (time: string, zone: string): boolean => instantToWall(time, zone).endsWith('T00:00:00');

/**
 * Returns first and last day of a range of whole days, else its ends to the minute; both with their years if one is not
 * this year.
 */
export function spanText(
  { from, to }: Pick<Statistics, 'from' | 'to'>,
  { preset, unit }: { preset: string | null; unit: TimeUnit },
  formats: Formats,
): string {
  const { zone } = formats;
  const isByClock = preset === 'last24Hours' || unit === TimeUnit.Minute;
  const endsInDay = preset !== null && !isByClock;
  const isWhole = endsInDay || (!isByClock && isMidnight(from, zone) && isMidnight(to, zone));
  // A range ends before its end: at midnight, with the day before.
  const last = isWhole ? new Date(Date.parse(to) - 1).toISOString() : to;
  const isOther = isOtherYear(from, formats) || isOtherYear(last, formats);
  const style = isWhole ? (isOther ? 'date' : 'monthDay') : isOther ? 'dateTime' : 'short';
  const [first, end] = [formats.date(from, style), formats.date(last, style)];
  return first === end ? first : `${first} – ${end}`;
}

/** The range that the figures are of, in the viewer's zone. */
export const rangeText = (
  range: Pick<Statistics, 'from' | 'to'>,
  view: Parameters<typeof spanText>[1],
  formats: Formats,
) => `${spanText(range, view, formats)} · ${formats.zoneName}, ${formats.zoneOffset()}`;
