import {
  type Statistics,
  type StatisticsDimension,
  type StatisticsFigures,
  type StatisticsItem,
  statisticsRowLimit,
  TimeUnit,
} from '@pahatid/contract';
import type { Db } from '@pahatid/db';
import { type CellKey, type StatisticsFilter, type StatisticsRow, sumStatistics } from '@pahatid/db/queries/statistics';
import type { Call } from '../../http/call.ts';
import { type AskedRange, chooseSpan, chooseSpanBefore, type Span } from '../../http/choose-span.ts';
import { ProblemError } from '../../http/problem.ts';

/** If the 24 hours of a preset by minute are too many cells, the longest of these that fits is returned. */
const shorterHours = [12, 6, 3, 1];
const minutesOfHour = 60;

export interface FiguresQuestion {
  range: AskedRange;
  /** With the period before. */
  isCompared: boolean;
  filter: StatisticsFilter;
  dimensions: readonly StatisticsDimension[];
  toShownAppId: Call<'GET /statistics'>['toShownAppId'];
}

type Period = Pick<Statistics, 'from' | 'to' | 'times' | 'totals' | 'items'>;
type Figures = Pick<Statistics, 'isShortened' | 'largestGroups'> & { now: Period; before: Period | null };
type Largest = Parameters<typeof sumStatistics>[1]['largest'];

/**
 * Returns the figures of a range. One that the caller set itself is refused if it has too many cells; a preset is
 * narrowed until it fits, and if its last hour does not, only its largest groups are separate.
 */
export async function readFigures(db: Db, question: FiguresQuestion): Promise<Figures> {
  const { range, dimensions } = question;
  const span = await chooseSpan(db, range);
  const isPreset = range.from === undefined;
  const isByMinute = range.unit === TimeUnit.Minute && dimensions.includes('logDate');
  const spans = isPreset && isByMinute ? [span, ...shorterHours.map((hours) => lastHours(span, hours))] : [span];
  for (const each of spans) {
    const found = await readSpan(db, question, each, null);
    if (found !== null) return found;
  }
  const largestGroups = Math.floor(statisticsRowLimit / countSteps(spans.at(-1) ?? span, dimensions)) - 1;
  const grouped = isPreset ? await readSpan(db, question, spans.at(-1) ?? span, largestGroups) : null;
  if (grouped === null) throw new ProblemError('STATISTICS_TOO_WIDE', { limit: statisticsRowLimit });
  return grouped;
}

const countSteps = ({ steps }: Span, dimensions: readonly StatisticsDimension[]): number =>
  dimensions.includes('logDate') ? Math.max(1, steps.length) : 1;

function lastHours(span: Span, hours: number): Span {
  const steps = span.steps.slice(-hours * minutesOfHour);
  return { from: steps[0] ?? span.from, to: span.to, steps, isShortened: true };
}

/** Returns null if the span, or the one before it, has too many cells. */
async function readSpan(
  db: Db,
  { range, isCompared, ...question }: FiguresQuestion,
  span: Span,
  largestGroups: number | null,
): Promise<Figures | null> {
  const earlier = isCompared ? await chooseSpanBefore(db, span, range.unit, range.zone) : null;
  // Ranked over both periods, so that a group is separate in both or in none.
  const largest =
    largestGroups === null ? undefined : { count: largestGroups, from: earlier?.from ?? span.from, to: span.to };
  const now = await readPeriod(db, span, { ...question, largest });
  if (now === null) return null;
  const before = earlier === null ? null : await readPeriod(db, earlier, { ...question, largest });
  if (before === null && earlier !== null) return null;
  return { now, before, isShortened: span.isShortened, largestGroups };
}

async function readPeriod(
  db: Db,
  { from, to, steps }: Span,
  { filter, dimensions, largest, toShownAppId }: Omit<FiguresQuestion, 'range' | 'isCompared'> & { largest: Largest },
): Promise<Period | null> {
  const rows = await sumStatistics(db, {
    filter,
    from,
    to,
    ...(largest && { largest }),
    steps: dimensions.includes('logDate') ? steps : null,
    keys: dimensions.filter((each): each is CellKey => each !== 'logDate'),
    limit: statisticsRowLimit + 1,
  });
  if (rows.length > statisticsRowLimit) return null;
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    times: steps.map((time) => time.toISOString()),
    totals: presentFigures(sumRows(rows)),
    items: rows.filter((row) => row.total !== null).map((row) => presentItem(row, steps, toShownAppId)),
  };
}

type Sums = Pick<StatisticsRow, 'total' | 'success' | 'fail' | 'blocked' | 'delivered' | 'undelivered' | 'unknown'>;

function sumRows(rows: readonly Sums[]): Sums {
  const sum = (field: keyof Sums): number => rows.reduce((all, row) => all + (row[field] ?? 0), 0);
  return {
    total: sum('total'),
    success: sum('success'),
    fail: sum('fail'),
    blocked: sum('blocked'),
    delivered: sum('delivered'),
    undelivered: sum('undelivered'),
    unknown: sum('unknown'),
  };
}

/** In flight: not answered by a carrier yet, or not even handed over. Awaited: accepted, and without a receipt so far. */
function presentFigures({ total, success, fail, blocked, delivered, undelivered, unknown }: Sums): StatisticsFigures {
  // What waits, of a paused task for instance, or was blocked or terminated, is no failure of acceptance.
  const handedOver = success + fail - blocked;
  return {
    reqTotalNum: total,
    reqSuccessNum: success,
    reqFailNum: fail,
    reqInFlightNum: total - success - fail,
    reqBlockedNum: blocked,
    reqSuccessRate: handedOver === 0 ? null : success / handedOver,
    reqFailRate: handedOver === 0 ? null : (fail - blocked) / handedOver,
    receiptSuccessNum: delivered,
    receiptFailNum: undelivered,
    receiptUnknownNum: unknown,
    receiptAwaitedNum: success - delivered - undelivered - unknown,
    receiptSuccessRate: success === 0 ? null : delivered / success,
    receiptFailRate: success === 0 ? null : undelivered / success,
  };
}

function presentItem(
  row: StatisticsRow,
  steps: readonly Date[],
  toShownAppId: FiguresQuestion['toShownAppId'],
): StatisticsItem {
  const { step, total, success, fail, blocked, delivered, undelivered, unknown, ...keys } = row;
  const time = steps[step - 1];
  // No column of figures is null: the sum of the others is.
  const isOthers = Object.values(keys).includes(null);
  return {
    ...(step > 0 && time !== undefined && { logDate: time.toISOString() }),
    ...(isOthers ? { isOthers } : (keys as Partial<Record<CellKey, string>>)),
    ...(keys.carrier === '' && { carrier: null }),
    ...(keys.appId && { appId: toShownAppId(keys.appId) }),
    ...presentFigures({ total, success, fail, blocked, delivered, undelivered, unknown }),
  };
}
