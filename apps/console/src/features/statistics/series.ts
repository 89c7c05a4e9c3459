/** Converts the cells of a response into the series of a chart and the rows of a table. */
import type {
  Statistics,
  StatisticsDimension,
  StatisticsFigures,
  StatisticsItem,
  StatisticsMetric,
} from '@pahatid/contract';
import { isRate } from './view.ts';

/** More are grouped in one "others" series. */
export const mostSeries = 8;

export interface Group {
  /** Built from its values; '' for all in one, `others` for the grouped rest. */
  key: string;
  /** Values of its dimensions; null for the grouped rest. */
  values: Partial<Record<StatisticsDimension, string | null>> | null;
}

export interface ChartData {
  /** Starts of steps, or null if not divided by time. */
  times: readonly string[] | null;
  groups: Group[];
  /** Figures of a group at a step; of the whole range with `at` null. */
  figuresOf: (group: Group, at: number | null) => StatisticsFigures;
}

const countNames = [
  'reqTotalNum',
  'reqSuccessNum',
  'reqFailNum',
  'reqInFlightNum',
  'reqBlockedNum',
  'receiptSuccessNum',
  'receiptFailNum',
  'receiptUnknownNum',
  'receiptAwaitedNum',
] as const;

export function sumFigures(cells: readonly StatisticsFigures[]): StatisticsFigures {
  const sums = Object.fromEntries(
    countNames.map((name) => [name, cells.reduce((sum, cell) => sum + cell[name], 0)]),
  ) as Record<(typeof countNames)[number], number>;
  const handedOver = sums.reqSuccessNum + sums.reqFailNum - sums.reqBlockedNum;
  const shareOf = (part: number, all: number) => (all === 0 ? null : part / all);
  return {
    ...sums,
    reqSuccessRate: shareOf(sums.reqSuccessNum, handedOver),
    reqFailRate: shareOf(sums.reqFailNum - sums.reqBlockedNum, handedOver),
    receiptSuccessRate: shareOf(sums.receiptSuccessNum, sums.reqSuccessNum),
    receiptFailRate: shareOf(sums.receiptFailNum, sums.reqSuccessNum),
  };
}

const othersKey = 'others';

/**
 * Groups by the dimensions other than time, the largest first; beyond `most` they are one. A compared period takes the
 * groups of the main one, which also include those that are only in the `other`: empty, and both add up.
 */
export function divide(
  period: Pick<Statistics, 'times' | 'items'>,
  dimensions: readonly StatisticsDimension[],
  most = mostSeries,
  like?: ChartData,
  other: Pick<Statistics, 'items'> | null = null,
): ChartData {
  const split = dimensions.filter((each) => each !== 'logDate');
  const keyOf = (item: StatisticsItem) => JSON.stringify(split.map((each) => item[each] ?? null));
  const valuesOf = (item: StatisticsItem): NonNullable<Group['values']> =>
    Object.fromEntries(split.map((each) => [each, item[each] ?? null]));
  const isSeparate = (item: StatisticsItem) => item.isOthers !== true;
  // The server's sum of smaller groups is a part of the others here.
  const summed = period.items.filter((item) => !isSeparate(item));
  const cells = Map.groupBy(period.items.filter(isSeparate), keyOf);
  const separate = [...(other?.items ?? []), ...period.items].filter(isSeparate);
  const samples = new Map(separate.map((item) => [keyOf(item), item]));
  const known = [...samples].map(([key, sample]) => {
    const items = cells.get(key) ?? [];
    return { key, sample, items, total: sumFigures(items).reqTotalNum };
  });
  known.sort((a, b) => b.total - a.total || (a.key < b.key ? -1 : 1));
  const likeKeys = like && new Set(like.groups.map(({ key }) => key));
  const separated = likeKeys
    ? known.filter(({ key }) => likeKeys.has(key))
    : known.slice(0, known.length + Math.min(1, summed.length) > most ? most - 1 : known.length);
  const rest = known.filter((each) => !separated.includes(each));
  const groups: Group[] = separated.map(({ key, sample }) => ({
    key,
    values: valuesOf(sample),
  }));
  if (rest.length + summed.length > 0) groups.push({ key: othersKey, values: null });
  if (groups.length === 0 && split.length === 0) groups.push({ key: '[]', values: {} });
  // Empty in this period, but still a separate series.
  for (const group of like?.groups ?? []) if (!groups.some(({ key }) => key === group.key)) groups.push(group);
  const itemsOf = (group: Group): readonly StatisticsItem[] =>
    group.values === null ? [...summed, ...rest.flatMap(({ items }) => items)] : (cells.get(group.key) ?? []);
  const byStep = new Map<string, Map<string, StatisticsItem[]>>(
    groups.map((group) => [group.key, Map.groupBy(itemsOf(group), (item) => item.logDate ?? '')]),
  );
  return {
    times: dimensions.includes('logDate') ? period.times : null,
    groups,
    figuresOf: (group, at) =>
      sumFigures(at === null ? itemsOf(group) : (byStep.get(group.key)?.get(period.times[at] ?? '') ?? [])),
  };
}

/** Relative change of a figure against the period before; of rates in points. Null if there is nothing to compare. */
export function changeOf(metric: StatisticsMetric, now: StatisticsFigures, before: StatisticsFigures): number | null {
  const [a, b] = [now[metric], before[metric]];
  if (a === null || b === null) return null;
  if (isRate(metric)) return a - b;
  return b === 0 ? null : (a - b) / b;
}
