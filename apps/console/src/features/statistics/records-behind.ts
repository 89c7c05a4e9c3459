import { recordsOfMetric, type StatisticsMetric, TimeUnit } from '@pahatid/contract';
import { instantToWall, wallToInstant } from '../../lib/format/zoned-time.ts';
import type { Group } from './series.ts';
import { type ChartView, filterNames } from './view.ts';

/** The beginning of the next minute, day or month of the zone. */
export function endOfStep(start: string, unit: TimeUnit, zone: string): string {
  if (unit === TimeUnit.Minute) return new Date(Date.parse(start) + minuteMs).toISOString();
  const [year = 0, month = 1, day = 1] = instantToWall(start, zone).slice(0, 10).split('-').map(Number);
  const next = unit === TimeUnit.Day ? Date.UTC(year, month - 1, day + 1) : Date.UTC(year, month, 1);
  return wallToInstant(`${new Date(next).toISOString().slice(0, 10)}T00:00:00`, zone);
}

export interface Point {
  group: Group;
  metric?: StatisticsMetric | undefined;
  /** Beginning of a step; null for the whole range. */
  time: string | null;
}

const minuteMs = 60_000;
/**
 * Figures are stored by the minute: one that started within a range counts completely, one that started before it not
 * at all.
 */
const ceilMinute = (instant: number): number => Math.ceil(instant / minuteMs) * minuteMs;

/** Returns the filters that find exactly the records of a point; null for the "others" group, which has no value. */
export function recordsBehind(
  { group, metric, time }: Point,
  view: ChartView,
  range: { from: string; to: string },
  zone: string,
): Record<string, string> | null {
  if (group.values === null) return null;
  const from = Math.max(Date.parse(range.from), time === null ? 0 : Date.parse(time));
  const end = time === null ? Number.POSITIVE_INFINITY : Date.parse(endOfStep(time, view.unit, zone));
  const to = Math.min(Date.parse(range.to), end);
  const found: Record<string, string> = {
    from: new Date(ceilMinute(from)).toISOString(),
    to: new Date(ceilMinute(to)).toISOString(),
  };
  const values: Record<string, string | null | undefined> = { ...view.filters, ...group.values };
  for (const name of filterNames) {
    const value = values[name];
    // Of the values only a carrier's may not be known.
    if (value !== undefined) found[name] = value ?? 'unknown';
  }
  const { sendStatus, clientStatus } = metric === undefined ? {} : recordsOfMetric[metric];
  if (sendStatus !== undefined) found['sendStatus'] = sendStatus.join(',');
  if (clientStatus !== undefined) found['clientStatus'] = clientStatus.join(',');
  return found;
}
