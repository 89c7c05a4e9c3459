/**
 * Charts saved by a user. Each action takes the user's own lock first: positions and the default are decided one at a
 * time.
 */
import type { ChartType, DatePreset, StatisticsDimension, StatisticsMetric, TimeUnit, YesNo } from '@pahatid/contract';
import { type Db, many, maybe, one, run, sql } from '../sql.ts';

export interface ChartFields {
  tabName: string;
  chartType: ChartType;
  selectedMetrics: StatisticsMetric[];
  dimensions: StatisticsDimension[];
  filters: Record<string, string | undefined>;
  preset: DatePreset | null;
  from: Date | null;
  to: Date | null;
  unit: TimeUnit;
  compare: YesNo;
}

export interface ChartRow extends ChartFields {
  chartId: string;
  isDefault: boolean;
  version: number;
}

export interface ChartOwner {
  userId: string;
  /** null: staff. */
  customerId: string | null;
}

const columns = sql.raw(`chart_id as "chartId", tab_name as "tabName", chart_type as "chartType",
  selected_metrics as "selectedMetrics", dimensions, filters, preset, range_from as "from", range_to as "to", unit, compare,
  is_default as "isDefault", version`);

export const lockCharts = (tx: Db, { userId }: ChartOwner): Promise<number> =>
  run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`chart ${userId}`}, 0))`);

export const listCharts = (db: Db, { userId }: ChartOwner): Promise<ChartRow[]> =>
  many(db, sql<ChartRow>`select ${columns} from chart where user_id = ${userId} order by place, chart_id`);

export const findChart = (db: Db, { userId }: ChartOwner, chartId: string): Promise<ChartRow | null> =>
  maybe(db, sql<ChartRow>`select ${columns} from chart where user_id = ${userId} and chart_id = ${chartId}`);

export const countCharts = async (db: Db, { userId }: ChartOwner): Promise<number> =>
  (await one(db, sql<{ n: number }>`select count(*)::int as n from chart where user_id = ${userId}`)).n;

/** Right after the chart `after`, or as the last. */
export const addChart = async (
  tx: Db,
  owner: ChartOwner,
  chartId: string,
  fields: ChartFields,
  after: string | null,
): Promise<void> => {
  const { place } = await one(
    tx,
    sql<{
      place: number;
    }>`select coalesce((select place + 1 from chart where chart_id = ${after} and user_id = ${owner.userId}),
      (select max(place) + 1 from chart where user_id = ${owner.userId}), 1) as place`,
  );
  await run(tx, sql`update chart set place = place + 1 where user_id = ${owner.userId} and place >= ${place}`);
  await run(
    tx,
    sql`insert into chart (chart_id, customer_id, user_id, tab_name, chart_type, selected_metrics, dimensions, filters, preset,
          range_from, range_to, unit, compare, place)
        values (${chartId}, ${owner.customerId}, ${owner.userId}, ${fields.tabName}, ${fields.chartType},
          ${fields.selectedMetrics}, ${fields.dimensions}, ${JSON.stringify(fields.filters)}, ${fields.preset},
          ${fields.from}, ${fields.to}, ${fields.unit}, ${fields.compare}, ${place})`,
  );
};

/** False: it is not there, or was changed since that version. */
export const updateChart = async (
  tx: Db,
  owner: ChartOwner,
  chartId: string,
  version: number,
  fields: ChartFields,
): Promise<boolean> =>
  (await run(
    tx,
    sql`update chart set tab_name = ${fields.tabName}, chart_type = ${fields.chartType},
          selected_metrics = ${fields.selectedMetrics}, dimensions = ${fields.dimensions},
          filters = ${JSON.stringify(fields.filters)}, preset = ${fields.preset}, range_from = ${fields.from},
          range_to = ${fields.to}, unit = ${fields.unit}, compare = ${fields.compare}, version = version + 1
        where chart_id = ${chartId} and user_id = ${owner.userId} and version = ${version}`,
  )) === 1;

/** The one that opens first; none before is any more. */
export const setDefaultChart = async (tx: Db, { userId }: ChartOwner, chartId: string): Promise<void> => {
  await run(
    tx,
    sql`update chart set is_default = false where user_id = ${userId} and is_default and chart_id <> ${chartId}`,
  );
  await run(tx, sql`update chart set is_default = true where user_id = ${userId} and chart_id = ${chartId}`);
};

export const orderCharts = (tx: Db, { userId }: ChartOwner, chartIds: readonly string[]): Promise<number> =>
  run(
    tx,
    sql`update chart set place = o.place from unnest(${chartIds}::uuid[]) with ordinality as o(id, place)
        where chart_id = o.id and user_id = ${userId}`,
  );

export const deleteChart = (tx: Db, { userId }: ChartOwner, chartId: string): Promise<number> =>
  run(tx, sql`delete from chart where user_id = ${userId} and chart_id = ${chartId}`);
