import { type Statistics, type StatisticsDimension, type StatisticsMetric, TimeUnit } from '@pahatid/contract';
import type { Formats } from '../../lib/format/make-formats.ts';
import { endsText, isMidnight, isOtherYear } from '../../lib/format/range-text.ts';
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
  return endsText(from, to, isWhole, formats);
}

/** The range that the figures are of, in the viewer's zone. */
export const rangeText = (
  range: Pick<Statistics, 'from' | 'to'>,
  view: Parameters<typeof spanText>[1],
  formats: Formats,
) => `${spanText(range, view, formats)} · ${formats.zoneName}, ${formats.zoneOffset()}`;
