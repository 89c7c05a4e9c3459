/**
 * Cost of a flush of 1,000 results in a partition of so many rows, by the planner's statistics: fresh ones, ones made
 * when it held 60 rows, and none.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  BY_KEY,
  makePool,
  messageIdAt,
  migrate,
  type OutcomeRow,
  uuidV7,
  withTransaction,
  writeOutcomes,
} from '@pahatid/db';
import { startEmbedded } from '@pahatid/db/embedded';
import type { Pool } from 'pg';
import type { Bench, Figure } from './bench.ts';

const FLUSH = 1_000;
const FLUSHES = 40;
const [customerId, otherId] = [uuidV7(), uuidV7()];
const kinds = ['fresh', 'stale', 'missing'] as const;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/**
 * Inserts `n` rows starting at `from`; 1,000 ids are consecutive, like those of a batch. Each of `few` belongs to a
 * different customer.
 */
const insert = async (pool: Pool, first: bigint, from: number, n: number, few: boolean): Promise<void> => {
  await pool.query(
    `insert into message (customer_id, message_id, app_id, sms_type, msisdn, area_code, client_sid, content, pkg_total,
       charge_type, price, route_id, supplier_id)
     select case when $5 then gen_random_uuid() else $2::uuid end, $1::bigint + ((n / 1000)::bigint << 18) + n % 1000, 'app', 2,
       '639' || lpad(n::text, 9, '0'), 'PH', 'PAHATID', 'Message ' || n || '. A text of the length that most have.', 1,
       'SenderPays', 3500, $6::uuid, $6::uuid
     from generate_series($3::int, $4::int - 1) n`,
    [String(first), customerId, from, from + n, few, otherId],
  );
};

/** Flushes of whole batches spread over the partition; milliseconds of each. */
const flushes = async (pool: Pool, first: bigint, rows: number): Promise<number[]> => {
  const took: number[] = [];
  for (let round = 0; round < FLUSHES; round++) {
    const batch = first + (BigInt(Math.floor((round * rows) / FLUSHES / FLUSH) + 1) << 18n);
    const outcomes = Array.from(
      { length: FLUSH },
      (_, position): OutcomeRow => ({
        customerId,
        messageId: batch + BigInt(position),
        before: { sendStatus: 0, clientStatus: 0, partsDelivered: 0 },
        after: { sendStatus: 3, clientStatus: 1 },
        dealResult: 'Submitted',
        carrierCode: null,
        submittedMs: 1,
        answeredMs: 2,
        reportMs: null,
        partsDelivered: 0,
      }),
    );
    const startedMs = performance.now();
    const missed = await withTransaction(pool, (tx) => writeOutcomes(tx, outcomes), BY_KEY);
    took.push(performance.now() - startedMs);
    if (missed.length > 0) throw new Error(`${missed.length} rows were not as expected`);
  }
  return took;
};

export const flush: Bench = {
  name: 'flush',
  says: 'one flush of 1,000 results into a partition of so many rows, durable, by the statistics that the planner has of it; medians and the longest of 40',
  async measure([count = '1000000']) {
    const rows = Number(count);
    const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
    const database = await startEmbedded({ dataDir });
    try {
      await migrate({ url: database.url });
      const pool = makePool({ url: database.url, applicationName: 'pahatid bench', max: 1, statementTimeoutMs: 0 });
      const figures: Figure[] = [];
      for (const [week, kind] of kinds.entries()) {
        const { rows: made } = await pool.query<{ name: string; at: Date }>(
          `with made as materialized (
             select at, ensure_partition(at) from (select date_trunc('week', now(), 'UTC') + $1 * interval '7 days' as at) w)
           select b.name, at from made cross join lateral partition_bounds('message') b where b.low = id_floor(at)`,
          [week],
        );
        const { name, at } = made[0]!;
        await pool.query(`alter table ${name} set (autovacuum_enabled = false)`);
        const first = messageIdAt(at.getTime(), 255);
        await insert(pool, first, 0, 60, true);
        if (kind === 'stale') await pool.query(`analyze ${name}`);
        await insert(pool, first, FLUSH, rows, false);
        if (kind === 'fresh') await pool.query(`analyze ${name}`);
        await pool.query('checkpoint');
        const took = await flushes(pool, first, rows);
        figures.push(
          { what: `flush, ${kind} statistics`, value: median(took), unit: 'ms', goal: null, higherIsBetter: false },
          {
            what: `longest, ${kind} statistics`,
            value: Math.max(...took),
            unit: 'ms',
            goal: null,
            higherIsBetter: false,
          },
        );
      }
      await pool.end();
      const [fresh, , stale, , missing] = figures.map(({ value }) => value);
      const worst = Math.max(stale!, missing!) / fresh!;
      return {
        figures: [
          { what: 'without good statistics, to fresh', value: worst, unit: 'times', goal: 1.5, higherIsBetter: false },
          ...figures,
        ],
        remarks: [`${rows.toLocaleString('en-US')} rows of one customer in each of three partitions.`],
      };
    } finally {
      await database.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
};
