import { ClientStatus, type StatisticsMetric, TimeUnit } from '@pahatid/contract';
import { instantToWall, wallToInstant } from '../../lib/format/zoned-time.ts';
import type { Group } from './series.ts';
import type { ChartView } from './view.ts';

/** Rejected is left out: by far most of those were refused before any receipt. */
const accepted = [
  ...[ClientStatus.Submitted, ClientStatus.Delivered, ClientStatus.Undelivered],
  ...[ClientStatus.Expired, ClientStatus.Unknown],
];

const statusesOf: Partial<Record<StatisticsMetric, readonly ClientStatus[]>> = {
  reqSuccessNum: accepted,
  reqSuccessRate: accepted,
  reqFailNum: [ClientStatus.Rejected, ClientStatus.Blocked],
  reqFailRate: [ClientStatus.Rejected, ClientStatus.Blocked],
  receiptSuccessNum: [ClientStatus.Delivered],
  receiptFailNum: [ClientStatus.Undelivered, ClientStatus.Expired, ClientStatus.Rejected],
  receiptUnknownNum: [ClientStatus.Unknown],
};

/** The beginning of the next minute, day or month of the zone. */
export function endOfStep(start: string, unit: TimeUnit, zone: string): string {
  if (unit === TimeUnit.Minute) return new Date(Date.parse(start) + 60_000).toISOString();
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

/** Filters of the records that a point counts; null where records can't be narrowed to it. */
export function recordsBehind(
  { group, metric, time }: Point,
  view: ChartView,
  range: { from: string; to: string },
  zone: string,
): Record<string, string> | null {
  if (group.values === null) return null;
  const values: Record<string, string | null | undefined> = { ...view.filters, ...group.values };
  if (values['customerId'] || values['routeId']) return null;
  // No filter of records asks for messages of which no carrier was known.
  if (values['carrier'] === null || values['carrier'] === 'unknown') return null;
  const end = time === null ? range.to : endOfStep(time, view.unit, zone);
  const from = time === null || Date.parse(time) < Date.parse(range.from) ? range.from : time;
  const statuses = metric === undefined ? undefined : statusesOf[metric];
  const found: Record<string, string> = { from, to: Date.parse(end) > Date.parse(range.to) ? range.to : end };
  for (const name of ['appId', 'areaCode', 'carrier', 'clientSid'] as const) {
    const value = values[name];
    if (typeof value === 'string') found[name] = value;
  }
  if (statuses !== undefined) found['clientStatus'] = statuses.join(',');
  return found;
}
