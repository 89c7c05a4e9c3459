import type { Statistics, StatisticsFigures, StatisticsItem } from '@pahatid/contract';

/** A cell of a period, with the corresponding one of the period before. */
export interface ReportRow {
  /** Its time is omitted if only the period before extends so far. */
  cell: StatisticsItem;
  /** Null: that period is not asked for. */
  before: { logDate: string | undefined; figures: StatisticsFigures } | null;
}

type Period = Pick<Statistics, 'times' | 'items'>;

const none: StatisticsFigures = {
  reqTotalNum: 0,
  reqSuccessNum: 0,
  reqFailNum: 0,
  reqInFlightNum: 0,
  reqBlockedNum: 0,
  reqSuccessRate: null,
  reqFailRate: null,
  receiptSuccessNum: 0,
  receiptFailNum: 0,
  receiptUnknownNum: 0,
  receiptAwaitedNum: 0,
  receiptSuccessRate: null,
  receiptFailRate: null,
};

/**
 * Pairs the cells of a period with the previous ones: the same step counted from the beginning, and the same values.
 * Cells that only the period before has appear at their step with zeros for the current one, so each of the two adds
 * up.
 */
export function pairPeriods(now: Period, before: Period | null): ReportRow[] {
  if (before === null) return now.items.map((cell) => ({ cell, before: null }));
  const placed = (period: Period) => {
    const places = new Map(period.times.map((time, at) => [time, at]));
    return period.items.map((item) => ({ item, at: places.get(item.logDate ?? '') ?? 0, key: keyOf(item) }));
  };
  const [cells, earlier] = [placed(now), placed(before)];
  const nameOf = ({ at, key }: { at: number; key: string }): string => `${at} ${key}`;
  const there = new Map(earlier.map((each) => [nameOf(each), each.item]));
  const here = new Set(cells.map(nameOf));
  const rows = cells.map((each) => {
    const then = there.get(nameOf(each));
    // The time is set even if there was no data.
    const logDate = each.item.logDate === undefined ? undefined : before.times[each.at];
    return { at: each.at, row: { cell: each.item, before: { logDate, figures: then ?? none } } };
  });
  const gone = earlier
    .filter((each) => !here.has(nameOf(each)))
    .map(({ at, item }) => {
      const { logDate, ...rest } = item;
      const time = logDate === undefined ? undefined : now.times[at];
      return {
        at,
        row: { cell: { ...rest, ...none, ...(time && { logDate: time }) }, before: { logDate, figures: item } },
      };
    });
  return [...rows, ...gone].toSorted((a, b) => a.at - b.at).map(({ row }) => row);
}

const keyOf = ({ appId, areaCode, carrier, clientSid, customerId, routeId, isOthers }: StatisticsItem): string =>
  JSON.stringify([appId, areaCode, carrier, clientSid, customerId, routeId, isOthers].map((value) => value ?? null));
