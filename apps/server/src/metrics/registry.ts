/**
 * Metrics of this process. One registry per process, as counters live as long as it does; the api role gathers those of
 * all processes of its machine (`gather.ts`). Labels are bounded: names of roles, lanes, supplier accounts, outcomes,
 * routes of the API; never a customer, a number, a text or an id of a message.
 */
import type { Pool } from 'pg';
import { collectDefaultMetrics, Gauge, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';

export const registry = new Registry();

/** Plain values of a registry, as they cross from process to process. */
export type Snapshot = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Labels all exports with the process name, and adds Node's default process metrics. Call once per process. */
export function startProcessMetrics(role: string): void {
  registry.setDefaultLabels({ role });
  collectDefaultMetrics({ register: registry });
}

/** Exports metrics of each pool, so that an overloaded database is visible before anything fails. */
export function watchPools(pools: Readonly<Record<string, Pool>>): void {
  const names = new Map<Pool, string>();
  for (const [name, pool] of Object.entries(pools)) if (!names.has(pool)) names.set(pool, name);
  const show = (name: string, help: string, read: (pool: Pool) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const [pool, label] of names) this.set({ pool: label }, read(pool));
      },
    });
  };
  show('pahatid_database_connections', 'Connections to the database that are open.', (pool) => pool.totalCount);
  show('pahatid_database_connections_idle', 'Of these, those that nobody uses now.', (pool) => pool.idleCount);
  show('pahatid_database_waiters', 'Callers that wait for a connection.', (pool) => pool.waitingCount);
}

const preparations: (() => Promise<void>)[] = [];

/** Done before each snapshot. It must not fail. */
export const beforeSnapshot = (prepare: () => Promise<void>): void => {
  preparations.push(prepare);
};

export async function takeSnapshot(): Promise<Snapshot> {
  await Promise.all(preparations.map((prepare) => prepare()));
  return await registry.getMetricsAsJSON();
}

/** Puts the values of several processes under one name each. They differ in the label `role`, so none hides another. */
export async function formatSnapshots(snapshots: readonly Snapshot[]): Promise<string> {
  const byName = Map.groupBy(snapshots.flat(), (metric) => metric.name);
  const merged = new Registry();
  for (const metrics of byName.values()) {
    const [first] = metrics;
    if (first === undefined) continue;
    const all = { ...first, values: metrics.flatMap(({ values }) => values) };
    // The registry asks nothing else of a metric than its name and this.
    merged.registerMetric({ ...all, get: async () => all } as unknown as Parameters<Registry['registerMetric']>[0]);
  }
  return merged.metrics();
}
