import { type Statistics, type StatisticsDimension, staffDimensions } from '@pahatid/contract';
import { getCustomerId } from '@pahatid/db';
import { listStatisticsNames, type StatisticsFilter } from '@pahatid/db/queries/statistics';
import type { FastifyInstance } from 'fastify';
import { csvAnswer } from '../../http/csv.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { zoneNamed } from '../../http/zone.ts';
import { reportColumns } from './csv-columns.ts';
import { pairPeriods, type ReportRow } from './pair-periods.ts';
import { readFigures } from './read-figures.ts';

export function registerStatistics(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, 'GET /statistics', async ({ query, user, scope, inScope, inReadScope, toShownAppId, wantsCsv }) => {
    const zone = zoneNamed(query.zone ?? user.zone);
    if (zone === null) throw fieldProblem('zone', 'NOT_AN_OPTION');
    const ownCustomer = getCustomerId(scope);
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
    const { now, before, isShortened, largestGroups } = await inReadScope((tx) =>
      readFigures(tx, {
        range: { ...query, zone, now: deps.now() },
        isCompared: query.compare === '1',
        filter,
        dimensions,
        toShownAppId,
      }),
    );
    const all = [...now.items, ...(before?.items ?? [])];
    const distinct = (key: 'appId' | 'customerId' | 'routeId') => [...new Set(all.flatMap((row) => row[key] ?? []))];
    const names = await inScope((tx) =>
      listStatisticsNames(tx, {
        appIds: distinct('appId'),
        customerIds: distinct('customerId'),
        routeIds: distinct('routeId'),
      }),
    );
    if (!wantsCsv) return { ...now, zone, unit, isShortened, largestGroups, names, before } satisfies Statistics;
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
