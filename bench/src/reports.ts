/**
 * Reports over 90 days from the statistics by minute alone, and after the minutes are folded by hour. The minutes are those
 * of 10,000,000 messages of 100 customers: one sends 60 %, at all hours of the day, from two senders.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makePool, migrate, uuidV7, withTransaction } from '@pahatid/db';
import { startEmbedded } from '@pahatid/db/embedded';
import { findFoldEnd, foldHours, listUnfolded } from '@pahatid/db/queries/hour-folding';
import { sumByCarrier, sumTrend } from '@pahatid/db/queries/overview';
import { type CellKey, listSteps, sumStatistics } from '@pahatid/db/queries/statistics';
import type { Pool } from 'pg';
import type { Bench, Figure } from './bench.ts';

const CUSTOMERS = 100;
const DAYS = 90;
const MINUTES = DAYS * 1_440;
const CARRIERS = ['Globe', 'Smart', 'DITO'];
/** One to each carrier. */
const routes = CARRIERS.map(() => uuidV7());
const ROUNDS = 20;
const ZONE = 'Asia/Manila';
/** Minutes of one transaction, as the job takes them. */
const AT_ONCE = 5_000;

/** Every `step` minutes of one customer, of two writers each. */
const insert = async (pool: Pool, customerId: string, end: Date, step: number, messages: number): Promise<void> => {
  const cells = Math.floor(MINUTES / step) * CARRIERS.length * 2;
  await pool.query(
    `insert into report_minute (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer,
       req_total, req_success, receipt_success, segments, charged)
     select $1::uuid, $2::timestamptz - m * interval '1 minute', 'app', 'PH', c, 'SHOP', 2, r, w, $5, $5, $5, $5, $5 * 3500
     from generate_series(1, $3, $4) m, unnest($6::text[], $7::uuid[]) as carriers(c, r), generate_series(0, 1) w`,
    [customerId, end, MINUTES, step, Math.max(1, Math.round(messages / cells)), CARRIERS, routes],
  );
};

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;

/** Milliseconds of a report, p95. */
const time = async (report: () => Promise<unknown>): Promise<number> => {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const startedMs = performance.now();
    await report();
    took.push(performance.now() - startedMs);
  }
  return percentile(took, 0.95);
};

interface Times {
  readonly statistics: number;
  readonly byCarrier: number;
  readonly overview: number;
}

const timeReports = async (pool: Pool, customerId: string | null, end: Date): Promise<Times> => {
  const span = { from: new Date(end.getTime() - DAYS * 86_400_000), to: end };
  const steps = await listSteps(pool, 'day', span.from, span.to, ZONE);
  const sum = (keys: CellKey[]) => sumStatistics(pool, { filter: { customerId }, ...span, steps, keys, limit: 10_000 });
  const month = { customerId, from: new Date(end.getTime() - 30 * 86_400_000), to: end };
  return {
    statistics: await time(() => sum([])),
    byCarrier: await time(() => sum(['carrier'])),
    overview: await time(async () => {
      await sumTrend(pool, month, 'day', ZONE);
      await sumByCarrier(pool, month);
    }),
  };
};

export const reports: Bench = {
  name: 'reports',
  says: 'reports over 90 days and over a month, p95 of 20, by minute and folded by hour; minutes of 10,000,000 messages of 100 customers',
  async measure([count = '10000000']) {
    const messages = Number(count);
    const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
    const database = await startEmbedded({ dataDir });
    const pool = makePool({ url: database.url, applicationName: 'pahatid bench', max: 2, statementTimeoutMs: 0 });
    try {
      await migrate({ url: database.url });
      const end = await findFoldEnd(pool, 0);
      const customers = Array.from({ length: CUSTOMERS }, () => uuidV7());
      const [largest = ''] = customers;
      for (const id of customers)
        if (id === largest) await insert(pool, id, end, 1, messages * 0.6);
        else await insert(pool, id, end, 30, (messages * 0.4) / (CUSTOMERS - 1));
      await pool.query('vacuum analyze report_minute');
      const whose = { 'of the largest customer': largest, 'of all customers, for staff': null };
      const before: Times[] = [];
      for (const id of Object.values(whose)) before.push(await timeReports(pool, id, end));
      const startedMs = performance.now();
      let folded = 0;
      for (const id of await listUnfolded(pool, end))
        for (let n = AT_ONCE; n === AT_ONCE; folded += n)
          n = await withTransaction(pool, (tx) => foldHours(tx, id, end, AT_ONCE));
      const foldSeconds = (performance.now() - startedMs) / 1_000;
      await pool.query('vacuum analyze report_minute, report_hour');
      const figures: Figure[] = [];
      for (const [index, [name, id]] of Object.entries(whose).entries()) {
        const after = await timeReports(pool, id, end);
        const line = (what: string, value: number, goal: number | null): Figure => ({
          what: `${what} ${name}`,
          value,
          unit: 'ms',
          goal,
          higherIsBetter: false,
        });
        const was = before[index]!;
        figures.push(
          line('90 days by day', after.statistics, 80),
          line('by minute: 90 days by day', was.statistics, null),
          line('90 days by day and carrier', after.byCarrier, 80),
          line('by minute: 90 days by day and carrier', was.byCarrier, null),
          line('overview of a month', after.overview, 100),
          line('by minute: overview of a month', was.overview, null),
        );
      }
      figures.push({
        what: 'minutes folded',
        value: folded / foldSeconds,
        unit: '/s',
        goal: null,
        higherIsBetter: true,
      });
      const { rows } = await pool.query<{ minutes: string; hours: string }>(
        `select pg_size_pretty(pg_total_relation_size('report_minute')) as minutes,
           pg_size_pretty(pg_total_relation_size('report_hour')) as hours`,
      );
      const remark = `${folded.toLocaleString('en-US')} rows of minutes; afterwards report_minute ${rows[0]?.minutes}, report_hour ${rows[0]?.hours}.`;
      return { figures, remarks: [remark] };
    } finally {
      await pool.end();
      await database.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
};
