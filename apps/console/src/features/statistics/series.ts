/** Cells of an answer as the series of a chart and the rows of a table. */
import type {
  Statistics,
  StatisticsDimension,
  StatisticsFigures,
  StatisticsItem,
  StatisticsMetric,
} from '@pahatid/contract';
import { isRate } from './view.ts';

/** More are gathered in one series of the others. */
export const mostSeries = 8;

export interface Group {
  /** Of the values that make it; '' for all in one, `others` for what is gathered. */
  key: string;
  /** Values of the dimensions it stands for; null for what is gathered. */
  values: Partial<Record<StatisticsDimension, string | null>> | null;
}

export interface ChartData {
  /** Beginnings of steps, or null where time does not divide. */
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
  'receiptSuccessNum',
  'receiptFailNum',
  'receiptUnknownNum',
  'receiptAwaitedNum',
] as const;

export function sumFigures(cells: readonly StatisticsFigures[]): StatisticsFigures {
  const sums = Object.fromEntries(
    countNames.map((name) => [name, cells.reduce((sum, cell) => sum + cell[name], 0)]),
  ) as Record<(typeof countNames)[number], number>;
  const handedOver = sums.reqSuccessNum + sums.reqFailNum;
  const share = (part: number) => (handedOver === 0 ? null : part / handedOver);
  return { ...sums, reqSuccessRate: share(sums.reqSuccessNum), reqFailRate: share(sums.reqFailNum) };
}

const othersKey = 'others';

/**
 * Groups by what divides besides time, the largest first; beyond `most` they are one. A period that stands beside another
 * takes the groups of that one, which has those that are only in the `other` as well: empty, and both add up.
 */
export function divide(
  period: Pick<Statistics, 'times' | 'items'>,
  dimensions: readonly StatisticsDimension[],
  most = mostSeries,
  like?: ChartData,
  other: Pick<Statistics, 'items'> | null = null,
): ChartData {
  const split = dimensions.filter((each) => each !== 'logDate');
  const keyOf = (item: StatisticsItem) =>
    JSON.stringify(split.map((each) => item[each as keyof StatisticsItem] ?? null));
  const cells = Map.groupBy(period.items, keyOf);
  const samples = new Map([...(other?.items ?? []), ...period.items].map((item) => [keyOf(item), item]));
  const known = [...samples].map(([key, sample]) => {
    const items = cells.get(key) ?? [];
    return { key, sample, items, total: sumFigures(items).reqTotalNum };
  });
  known.sort((a, b) => b.total - a.total || (a.key < b.key ? -1 : 1));
  const likeKeys = like && new Set(like.groups.map(({ key }) => key));
  const kept = likeKeys
    ? known.filter(({ key }) => likeKeys.has(key))
    : known.slice(0, known.length > most ? most - 1 : known.length);
  const rest = known.filter((each) => !kept.includes(each));
  const groups: Group[] = kept.map(({ key, sample }) => ({
    key,
    values: Object.fromEntries(split.map((each) => [each, sample[each as keyof StatisticsItem] ?? null])) as never,
  }));
  if (rest.length > 0) groups.push({ key: othersKey, values: null });
  if (groups.length === 0 && split.length === 0) groups.push({ key: '[]', values: {} });
  // Empty there, and still a series of its own.
  for (const group of like?.groups ?? []) if (!groups.some(({ key }) => key === group.key)) groups.push(group);
  const itemsOf = (group: Group): readonly StatisticsItem[] =>
    group.values === null ? rest.flatMap(({ items }) => items) : (cells.get(group.key) ?? []);
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

/** Relative change of a figure against the period before; of rates in points. Null where there is nothing to compare. */
export function changeOf(metric: StatisticsMetric, now: StatisticsFigures, before: StatisticsFigures): number | null {
  const [a, b] = [now[metric], before[metric]];
  if (a === null || b === null) return null;
  if (isRate(metric)) return a - b;
  return b === 0 ? null : (a - b) / b;
}
