import { type Chart, chartLimit, type StatisticsDimension, staffDimensions } from '@pahatid/contract';
import { getCustomerId, type Scope, uuidV7 } from '@pahatid/db';
import {
  addChart,
  type ChartFields,
  type ChartOwner,
  type ChartRow,
  countCharts,
  deleteChart,
  findChart,
  listCharts,
  lockCharts,
  orderCharts,
  setDefaultChart,
  updateChart,
} from '@pahatid/db/queries/charts';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import type { SignedInUser } from '../../http/call.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';

export function registerCharts(app: FastifyInstance): void {
  serve(app, 'GET /charts', async ({ user, scope, inScope }) => {
    const rows = await inScope((tx) => listCharts(tx, ownerOf(user, scope)));
    return { items: rows.map(presentChart), nextCursor: null };
  });

  serve(app, 'POST /charts', async ({ body, user, scope, inScope, audit }) => {
    const owner = ownerOf(user, scope);
    const preset = body.preset ?? (body.from === null && body.to === null ? 'last7Days' : null);
    const fields = readFields({ ...body, preset }, owner);
    const chartId = uuidV7();
    return inScope(async (tx) => {
      await lockCharts(tx, owner);
      await assertRoom(tx, owner);
      await addChart(tx, owner, chartId, fields, null);
      await audit(tx, { action: 'add', subjectType: 'chart', subjectId: chartId, after: body });
      return presentChart(await getChart(tx, owner, chartId));
    });
  });

  serve(app, 'PATCH /charts/:chartId', async ({ params: { chartId }, body, user, scope, inScope, audit }) => {
    const owner = ownerOf(user, scope);
    const { version, ...change } = body;
    return inScope(async (tx) => {
      await lockCharts(tx, owner);
      const before = presentChart(await getChart(tx, owner, chartId));
      const fields = readFields({ ...before, ...withoutUndefined(change) }, owner);
      if (!(await updateChart(tx, owner, chartId, version, fields))) throw new ProblemError('CONFLICT');
      await audit(tx, { action: 'edit', subjectType: 'chart', subjectId: chartId, before, after: change });
      return presentChart(await getChart(tx, owner, chartId));
    });
  });

  serve(app, 'POST /charts/:chartId/copy', async ({ params: { chartId }, body, user, scope, inScope, audit }) => {
    const owner = ownerOf(user, scope);
    const copyId = uuidV7();
    return inScope(async (tx) => {
      await lockCharts(tx, owner);
      const original = await getChart(tx, owner, chartId);
      await assertRoom(tx, owner);
      await addChart(tx, owner, copyId, { ...original, tabName: body.tabName }, chartId);
      await audit(tx, { action: 'copy', subjectType: 'chart', subjectId: copyId, after: { of: chartId, ...body } });
      return presentChart(await getChart(tx, owner, copyId));
    });
  });

  serve(app, 'POST /charts/:chartId/default', async ({ params: { chartId }, user, scope, inScope, audit }) => {
    const owner = ownerOf(user, scope);
    return inScope(async (tx) => {
      await lockCharts(tx, owner);
      await getChart(tx, owner, chartId);
      await setDefaultChart(tx, owner, chartId);
      await audit(tx, { action: 'setDefault', subjectType: 'chart', subjectId: chartId });
      return presentChart(await getChart(tx, owner, chartId));
    });
  });

  serve(app, 'PUT /charts/order', async ({ body, user, scope, inScope, audit }) => {
    const owner = ownerOf(user, scope);
    return inScope(async (tx) => {
      await lockCharts(tx, owner);
      const known = new Set((await listCharts(tx, owner)).map((row) => row.chartId));
      // One was added or deleted elsewhere meanwhile.
      if (known.size !== body.chartIds.length || body.chartIds.some((id) => !known.has(id)))
        throw new ProblemError('CONFLICT');
      await orderCharts(tx, owner, body.chartIds);
      await audit(tx, { action: 'reorder', subjectType: 'chart', subjectId: '*', after: body });
      return { items: (await listCharts(tx, owner)).map(presentChart), nextCursor: null };
    });
  });

  serve(app, 'DELETE /charts/:chartId', async ({ params: { chartId }, user, scope, inScope, audit }) => {
    const owner = ownerOf(user, scope);
    await inScope(async (tx) => {
      await lockCharts(tx, owner);
      const before = presentChart(await getChart(tx, owner, chartId));
      await deleteChart(tx, owner, chartId);
      await audit(tx, { action: 'delete', subjectType: 'chart', subjectId: chartId, before });
    });
    return undefined;
  });
}

const ownerOf = (user: SignedInUser, scope: Scope): ChartOwner => ({
  userId: user.userId,
  customerId: getCustomerId(scope),
});

async function assertRoom(tx: PoolClient, owner: ChartOwner): Promise<void> {
  if ((await countCharts(tx, owner)) >= chartLimit) throw new ProblemError('CHART_LIMIT', { limit: chartLimit });
}

async function getChart(tx: PoolClient, owner: ChartOwner, chartId: string): Promise<ChartRow> {
  const row = await findChart(tx, owner, chartId);
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
}

type Asked = Omit<Chart, 'chartId' | 'isDefault' | 'version'>;

/** Returns the fields to store for a chart; refuses those that its user can't query, and a range with one end. */
function readFields(asked: Asked, { customerId }: ChartOwner): ChartFields {
  const isStaffs = (each: string): boolean => staffDimensions.includes(each as StatisticsDimension);
  if (customerId !== null) {
    if (asked.dimensions.some(isStaffs)) throw fieldProblem('dimensions', 'NOT_AN_OPTION');
    if (Object.keys(asked.filters).some(isStaffs)) throw fieldProblem('filters', 'NOT_AN_OPTION');
  }
  const from = asked.preset === null && asked.from !== null ? new Date(asked.from) : null;
  const to = asked.preset === null && asked.to !== null ? new Date(asked.to) : null;
  if (asked.preset === null && (from === null || to === null)) throw fieldProblem('preset', 'REQUIRED');
  if (from !== null && to !== null && from >= to) throw fieldProblem('to', 'RANGE_BACKWARDS');
  return {
    tabName: asked.tabName,
    chartType: asked.chartType,
    selectedMetrics: asked.selectedMetrics,
    dimensions: asked.dimensions,
    filters: asked.filters,
    preset: asked.preset,
    from,
    to,
    unit: asked.unit,
    compare: asked.compare,
  };
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

const withoutUndefined = <T extends object>(value: T): Defined<T> =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<T>;

const presentChart = (row: ChartRow): Chart => ({
  chartId: row.chartId,
  tabName: row.tabName,
  chartType: row.chartType,
  selectedMetrics: row.selectedMetrics,
  dimensions: row.dimensions,
  filters: row.filters,
  preset: row.preset,
  from: row.from?.toISOString() ?? null,
  to: row.to?.toISOString() ?? null,
  unit: row.unit,
  compare: row.compare,
  isDefault: row.isDefault ? 1 : 0,
  version: row.version,
});
