/**
 * What the database pays for a message's life (accepted, result, receipt) by design. Every design writes the same rows
 * in transactions of 1,000 over one connection, durable; the table is the product's own, under another name.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { copyLine, copyLines, makePool, migrate, numberArray, textArray, uuidV7 } from '@pahatid/db';
import { startEmbedded } from '@pahatid/db/embedded';
import { cpuMs } from '@pahatid/testkit';
import type { Pool, PoolClient } from 'pg';
import type { Bench, Figure } from './bench.ts';

const FLUSH = 1_000;
const customerId = uuidV7();
const [taskId, routeId, supplierId] = [uuidV7(), uuidV7(), uuidV7()];

interface Design {
  readonly name: string;
  readonly fillfactor: number;
  /** Creates what it needs in addition to the table `m`. */
  prepare?(tx: PoolClient): Promise<void>;
  accept(tx: PoolClient, from: number): Promise<void>;
  result(tx: PoolClient, from: number): Promise<void>;
  receipt(tx: PoolClient, from: number): Promise<void>;
  /** After all flushes; counted as well. */
  finish?(tx: PoolClient, count: number): Promise<void>;
}

const numbers = (from: number): number[] => Array.from({ length: FLUSH }, (_, index) => from + index);
const phone = (n: number): string => `63917${String(n).padStart(7, '0')}`;
const at = new Date();

const start = `m (customer_id, message_id, task_id, app_id, sms_type, msisdn, area_code, range_holder, carrier, client_sid,
  content, pkg_total, charge_type, price, route_id, supplier_id, send_status, client_status, deal_result, submitted_at, answered_at)`;

const startLine = (n: number, hasResult: boolean): string =>
  copyLine([
    ...[customerId, n, taskId, 'app', 2, phone(n), 'PH', 'Globe', 'Globe', 'PAHATID'],
    ...[`Message ${n}. A text of the length that most have.`, 1, 'SenderPays', 3500, routeId, supplierId],
    ...(hasResult ? [3, 1, 'Submitted', at, at] : [0, 0, null, null, null]),
  ]);

const copyStart = (tx: PoolClient, from: number, hasResult: boolean): Promise<void> =>
  copyLines(
    tx,
    start,
    numbers(from)
      .map((n) => startLine(n, hasResult))
      .join(''),
  );

/** The product's statement, without the parts that a bench does not move. */
const update = (source: string): string => `
  update m set send_status = i.send, client_status = i.client, deal_result = coalesce(i.deal, m.deal_result),
    submitted_at = coalesce(to_timestamp(i.submitted / 1000.0), m.submitted_at),
    answered_at = coalesce(to_timestamp(i.submitted / 1000.0), m.answered_at),
    report_at = coalesce(to_timestamp(i.report / 1000.0), m.report_at), parts_delivered = i.parts
  from ${source}
  where m.customer_id = i.customer_id and m.message_id = i.message_id and m.send_status = i.old_send and m.client_status = i.old_client`;

interface Step {
  readonly before: readonly [number, number];
  readonly after: readonly [number, number];
  readonly deal: string;
  readonly parts: number;
  readonly isReceipt: boolean;
}
const RESULT: Step = { before: [0, 0], after: [3, 1], deal: 'Submitted', parts: 0, isReceipt: false };
const RECEIPT: Step = { before: [3, 1], after: [3, 2], deal: 'DELIVRD', parts: 1, isReceipt: true };

const byUnnest = async (tx: PoolClient, from: number, step: Step): Promise<void> => {
  const rows = numbers(from);
  const all = (value: number | string | null): string => numberArray(rows.map(() => value));
  await tx.query({
    name: 'by_unnest',
    text: update(`unnest($1::uuid[], $2::bigint[], $3::smallint[], $4::smallint[], $5::smallint[], $6::smallint[], $7::text[],
      $8::bigint[], $9::bigint[], $10::int[]) as i(customer_id, message_id, old_send, old_client, send, client, deal, submitted, report, parts)`),
    values: [
      ...[all(customerId), numberArray(rows), all(step.before[0]), all(step.before[1]), all(step.after[0])],
      ...[all(step.after[1]), textArray(rows.map(() => step.deal)), all(step.isReceipt ? null : at.getTime())],
      ...[all(step.isReceipt ? at.getTime() : null), all(step.parts)],
    ],
  });
};

const stageColumns = `customer_id uuid, flush_id bigint, message_id bigint, old_send smallint, old_client smallint,
  send smallint, client smallint, deal text, submitted bigint, report bigint, parts int`;

const copyStage = (tx: PoolClient, from: number, step: Step): Promise<void> => {
  const when = at.getTime();
  const line = (n: number): string =>
    copyLine([
      ...[customerId, from, n, ...step.before, ...step.after, step.deal],
      ...(step.isReceipt ? [null, when] : [when, null]),
      step.parts,
    ]);
  return copyLines(tx, 'stage', numbers(from).map(line).join(''));
};

const byStage = async (tx: PoolClient, from: number, step: Step): Promise<void> => {
  await copyStage(tx, from, step);
  await tx.query({ name: 'by_stage', text: `${update('stage i')} and i.flush_id = $1`, values: [from] });
  await tx.query({ name: 'clear_stage', text: 'delete from stage where flush_id = $1', values: [from] });
};

const byTemporary = async (tx: PoolClient, from: number, step: Step): Promise<void> => {
  await copyStage(tx, from, step);
  await tx.query({ name: 'by_temporary', text: update('stage i') });
};

const unnest = (fillfactor: number): Design => ({
  name: `updates by unnest, fillfactor ${fillfactor}`,
  fillfactor,
  accept: (tx, from) => copyStart(tx, from, false),
  result: (tx, from) => byUnnest(tx, from, RESULT),
  receipt: (tx, from) => byUnnest(tx, from, RECEIPT),
});

const designs: readonly Design[] = [
  unnest(50),
  unnest(70),
  unnest(100),
  {
    name: 'COPY to an unlogged stage, then update',
    fillfactor: 50,
    prepare: async (tx) => {
      await tx.query(`create unlogged table stage (${stageColumns}); create index on stage (flush_id)`);
    },
    accept: (tx, from) => copyStart(tx, from, false),
    result: (tx, from) => byStage(tx, from, RESULT),
    receipt: (tx, from) => byStage(tx, from, RECEIPT),
  },
  {
    name: 'COPY to a temporary stage, then update',
    fillfactor: 50,
    prepare: async (tx) => {
      await tx.query(`create temporary table stage (${stageColumns}) on commit delete rows`);
    },
    accept: (tx, from) => copyStart(tx, from, false),
    result: (tx, from) => byTemporary(tx, from, RESULT),
    receipt: (tx, from) => byTemporary(tx, from, RECEIPT),
  },
  {
    name: 'insert at result; recipients in blocks before',
    fillfactor: 70,
    prepare: async (tx) => {
      await tx.query('create table block (block_id bigint primary key, rows bytea not null)');
    },
    accept: async (tx, from) => {
      const block = Buffer.from(
        numbers(from)
          .map((n) => startLine(n, false))
          .join(''),
      );
      await tx.query({ name: 'block', text: 'insert into block values ($1, $2)', values: [from, block] });
    },
    result: (tx, from) => copyStart(tx, from, true),
    receipt: (tx, from) => byUnnest(tx, from, RECEIPT),
    finish: async (tx) => {
      await tx.query('truncate block');
    },
  },
  {
    name: 'results and receipts appended, folded later',
    fillfactor: 70,
    prepare: async (tx) => {
      await tx.query(`create table stage (${stageColumns})`);
    },
    accept: (tx, from) => copyStart(tx, from, false),
    result: (tx, from) => copyStage(tx, from, RESULT),
    receipt: (tx, from) => copyStage(tx, from, RECEIPT),
    finish: async (tx, count) => {
      for (let from = 1; from <= count; from += 10 * FLUSH) {
        await tx.query(
          update(`(select customer_id, message_id, 0 as old_send, 0 as old_client, max(send) as send, max(client) as client,
             max(deal) as deal, max(submitted) as submitted, max(report) as report, max(parts) as parts
             from stage where message_id >= ${from} and message_id < ${from + 10 * FLUSH} group by 1, 2) as i`),
        );
      }
      await tx.query('truncate stage');
    },
  },
];

const durably = async (tx: PoolClient, work: () => Promise<void>): Promise<void> => {
  await tx.query('begin');
  await work();
  await tx.query('commit');
};

interface Cost {
  readonly postgres: number;
  readonly client: number;
  readonly walBytes: number;
  readonly tableBytes: number;
}

const measureDesign = async (pool: Pool, pid: number, design: Design, count: number): Promise<Cost> => {
  const tx = await pool.connect();
  try {
    await tx.query(`create table m (like message including defaults) with (fillfactor = ${design.fillfactor});
      alter table m add primary key (customer_id, message_id); create index m_msisdn on m (customer_id, msisdn, message_id)`);
    await design.prepare?.(tx);
    await tx.query('checkpoint');
    const wal = async (): Promise<number> =>
      Number((await tx.query<{ n: string }>(`select pg_current_wal_lsn() - '0/0'::pg_lsn as n`)).rows[0]!.n);
    const [walBefore, cpuBefore, own] = [await wal(), cpuMs(pid, true), process.cpuUsage()];
    // Receipts follow results at a distance, as they do on the road.
    const distance = 5 * FLUSH;
    for (let from = 1; from <= count + 2 * distance; from += FLUSH) {
      if (from <= count) await durably(tx, () => design.accept(tx, from));
      await durably(tx, async () => {
        if (from > distance && from <= count + distance) await design.result(tx, from - distance);
        if (from > 2 * distance) await design.receipt(tx, from - 2 * distance);
      });
    }
    if (design.finish) await durably(tx, async () => design.finish?.(tx, count));
    const used = process.cpuUsage(own);
    const { rows } = await tx.query<{ delivered: number; bytes: string }>(
      `select count(*) filter (where send_status = 3 and client_status = 2 and report_at is not null)::int as delivered,
         pg_total_relation_size('m') as bytes from m`,
    );
    if (rows[0]!.delivered !== count) throw new Error(`${design.name}: ${rows[0]!.delivered} of ${count}`);
    const cost: Cost = {
      postgres: ((cpuMs(pid, true) - cpuBefore) * 1_000) / count,
      client: (used.user + used.system) / count,
      walBytes: ((await wal()) - walBefore) / count,
      tableBytes: Number(rows[0]!.bytes) / count,
    };
    await tx.query('drop table m; drop table if exists stage, block');
    return cost;
  } finally {
    tx.release();
  }
};

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

export const updates: Bench = {
  name: 'updates',
  says: 'cost of a message’s life in the database (accepted, result, receipt) by design, in flushes of 1,000; medians of rounds in turns',
  async measure([count = '100000', rounds = '3']) {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
    const database = await startEmbedded({ dataDir });
    try {
      await migrate({ url: database.url });
      const pool = makePool({ url: database.url, applicationName: 'pahatid bench', max: 1, statementTimeoutMs: 0 });
      const costs = new Map<string, Cost[]>(designs.map(({ name }) => [name, []]));
      for (let round = 0; round < Number(rounds); round++) {
        for (const design of designs) {
          costs.get(design.name)!.push(await measureDesign(pool, database.pid, design, Number(count)));
        }
      }
      await pool.end();
      const figures = designs.flatMap(({ name }): Figure[] => {
        const of = (key: keyof Cost): number => median(costs.get(name)!.map((cost) => cost[key]));
        const figure = (what: string, value: number, unit: string): Figure => ({
          what: `${name}: ${what}`,
          value,
          unit,
          goal: null,
          higherIsBetter: false,
        });
        return [
          figure('PostgreSQL', of('postgres'), 'µs per message'),
          figure('client', of('client'), 'µs per message'),
          figure('log', of('walBytes'), 'bytes per message'),
          figure('table and indexes', of('tableBytes'), 'bytes per message'),
        ];
      });
      return { figures, remarks: [`${count} messages, ${rounds} rounds.`] };
    } finally {
      await database.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
};
