import { type Statistics, type StatisticsDimension, type StatisticsMetric, TimeUnit } from '@pahatid/contract';
import type { Formats } from '../../lib/format/make-formats.ts';
import type { useText } from '../../lib/i18n/use-text.tsx';
import type { Group } from './series.ts';
import { isRate } from './view.ts';

type Text = ReturnType<typeof useText>;

/** What a value of a dimension is called: names for ids, words for what is not known. */
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
  const words = Object.entries(group.values).map(([dimension, value]) =>
    valueName(dimension as StatisticsDimension, value ?? null, names, t),
  );
  return words.length === 0 ? t('statistics.all') : words.join(' · ');
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
  if (unit === TimeUnit.Minute) return { tick: formats.date(time, 'minute'), title: formats.date(time, 'short') };
  if (unit === TimeUnit.Day) return { tick: formats.date(time, 'monthDay'), title: formats.date(time, 'day') };
  const month = new Intl.DateTimeFormat(`${locale}-u-ca-gregory-nu-latn`, {
    ...monthStyle,
    timeZone: formats.zone,
  }).format(new Date(time));
  return { tick: month, title: month };
}

/** The range that the figures are of, in the viewer's zone. */
export function rangeText(
  { from, to }: Pick<Statistics, 'from' | 'to'>,
  { preset, unit }: { preset: string | null; unit: TimeUnit },
  formats: Formats,
): string {
  const style = preset === 'last24Hours' || unit === TimeUnit.Minute ? 'short' : 'monthDay';
  return `${formats.date(from, style)} – ${formats.date(to, style)} · ${formats.zoneName}, ${formats.zoneOffset()}`;
}
