import {
  type Statistics,
  type StatisticsDimension,
  type StatisticsFigures,
  type StatisticsItem,
  staffDimensions,
  statisticsRowLimit,
} from '@pahatid/contract';
import { customerOf, type Db } from '@pahatid/db';
import {
  type CellKey,
  listStatisticsNames,
  type StatisticsFilter,
  type StatisticsRow,
  sumStatistics,
} from '@pahatid/db/queries/statistics';
import type { FastifyInstance } from 'fastify';
import { csvAnswer } from '../../http/csv.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { zoneNamed } from '../../http/zone.ts';
import { chooseSpan, chooseSpanBefore, type Span } from '../../reporting/choose-span.ts';
import { reportColumns } from './csv-columns.ts';
import { pairPeriods, type ReportRow } from './pair-periods.ts';

export function registerStatistics(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, 'GET /statistics', async ({ query, user, scope, inScope, inDataScope, wantsCsv }) => {
    const zone = zoneNamed(query.zone ?? user.zone);
    if (zone === null) throw fieldProblem('zone', 'NOT_AN_OPTION');
    const ownCustomer = customerOf(scope);
    if (ownCustomer !== null) refuseStaffParts(query);
    const { dimensions, unit } = query;
    const filter: StatisticsFilter = {
      customerId: ownCustomer ?? query.customerId ?? null,
      appId: query.appId,
      areaCode: query.areaCode,
      carrier: query.carrier === 'unknown' ? '' : query.carrier,
      clientSid: query.clientSid,
      routeId: query.routeId,
    };
    const asked = { ...query, zone, now: deps.now() };
    const { now, before, isShortened } = await inDataScope(async (tx) => {
      const span = await chooseSpan(tx, asked);
      return {
        isShortened: span.isShortened,
        now: await readPeriod(tx, span, filter, dimensions),
        before:
          query.compare === '1'
            ? await readPeriod(tx, await chooseSpanBefore(tx, span, unit, zone), filter, dimensions)
            : null,
      };
    });
    const all = [...now.items, ...(before?.items ?? [])];
    const distinct = (key: 'appId' | 'customerId' | 'routeId') => [...new Set(all.flatMap((row) => row[key] ?? []))];
    const names = await inScope((tx) =>
      listStatisticsNames(tx, {
        appIds: distinct('appId'),
        customerIds: distinct('customerId'),
        routeIds: distinct('routeId'),
      }),
    );
    if (!wantsCsv) return { ...now, zone, unit, isShortened, names, before } satisfies Statistics;
    const columns = reportColumns({
      dimensions,
      metrics: query.metrics,
      unit,
      zone,
      names,
      isCompared: before !== null,
    });
    return csvAnswer({ fileName: 'sms-statistics', columns, rows: rowsOf(pairPeriods(now, before)) });
  });
}

async function* rowsOf(rows: readonly ReportRow[]): AsyncGenerator<ReportRow> {
  yield* rows;
}

/** Customers and routes are the provider's own affair. */
function refuseStaffParts(query: {
  dimensions: readonly StatisticsDimension[];
  customerId?: string | undefined;
  routeId?: string | undefined;
}): void {
  for (const name of ['customerId', 'routeId'] as const)
    if (query[name] !== undefined) throw fieldProblem(name, 'NOT_AN_OPTION');
  if (query.dimensions.some((each) => staffDimensions.includes(each)))
    throw fieldProblem('dimensions', 'NOT_AN_OPTION');
}

async function readPeriod(
  db: Db,
  { from, to, steps }: Span,
  filter: StatisticsFilter,
  dimensions: readonly StatisticsDimension[],
): Promise<Pick<Statistics, 'from' | 'to' | 'times' | 'totals' | 'items'>> {
  const rows = await sumStatistics(db, {
    ...{ filter, from, to },
    steps: dimensions.includes('logDate') ? steps : null,
    keys: dimensions.filter((each): each is CellKey => each !== 'logDate'),
    limit: statisticsRowLimit + 1,
  });
  if (rows.length > statisticsRowLimit) throw new ProblemError('STATISTICS_TOO_WIDE', { limit: statisticsRowLimit });
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    times: steps.map((time) => time.toISOString()),
    totals: presentFigures(sumRows(rows)),
    items: rows.filter((row) => row.total !== null).map((row) => presentItem(row, steps)),
  };
}

type Sums = Pick<StatisticsRow, 'total' | 'success' | 'fail' | 'delivered' | 'undelivered' | 'unknown'>;

function sumRows(rows: readonly Sums[]): Sums {
  const sum = (field: keyof Sums): number => rows.reduce((all, row) => all + (row[field] ?? 0), 0);
  return {
    ...{ total: sum('total'), success: sum('success'), fail: sum('fail') },
    ...{ delivered: sum('delivered'), undelivered: sum('undelivered'), unknown: sum('unknown') },
  };
}

/** In flight: not answered by a carrier yet, or not even handed over. Awaited: accepted, and without a receipt so far. */
function presentFigures({ total, success, fail, delivered, undelivered, unknown }: Sums): StatisticsFigures {
  // What waits, of a paused task for instance, is no failure of acceptance.
  const handedOver = success + fail;
  return {
    reqTotalNum: total,
    reqSuccessNum: success,
    reqFailNum: fail,
    reqInFlightNum: total - success - fail,
    reqSuccessRate: handedOver === 0 ? null : success / handedOver,
    reqFailRate: handedOver === 0 ? null : fail / handedOver,
    receiptSuccessNum: delivered,
    receiptFailNum: undelivered,
    receiptUnknownNum: unknown,
    receiptAwaitedNum: success - delivered - undelivered - unknown,
  };
}

function presentItem(row: StatisticsRow, steps: readonly Date[]): StatisticsItem {
  const { step, total, success, fail, delivered, undelivered, unknown, ...keys } = row;
  const time = steps[step - 1];
  return {
    ...(step > 0 && time !== undefined && { logDate: time.toISOString() }),
    ...keys,
    ...(keys.carrier === '' && { carrier: null }),
    ...presentFigures({ total, success, fail, delivered, undelivered, unknown }),
  };
}
