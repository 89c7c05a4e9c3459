/**
 * What senders ask of the database twice a second, with 0, 20,000 and 200,000 held batches; and single messages of 1,000
 * customers through one sender.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BY_KEY, getFunds, makePool, messageIdAt, migrate, withTransaction } from '@pahatid/db';
import { buildCustomer } from '@pahatid/db/builders';
import { startEmbedded } from '@pahatid/db/embedded';
import { claimBatches, findReadyQueues } from '@pahatid/db/queries/batch-claims';
import { parkHeld } from '@pahatid/db/queries/batch-parking';
import { lockFailingBatch } from '@pahatid/db/queries/batch-splitting';
import type { Pool, PoolClient } from 'pg';
import type { Bench, Figure } from './bench.ts';
import { cpuFigure, measureSending } from './measure-sending.ts';

const HELD = [0, 20_000, 200_000] as const;
const READY = 300;
const CUSTOMERS = 30;
const ROUNDS = 30;
const NOON = 12;
const owner = '00000000-0000-4000-8000-00000000000a';
const first = messageIdAt(Date.now(), 255);

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

interface World {
  readonly customers: readonly string[];
  readonly supplierId: string;
}

const makeWorld = async (pool: Pool): Promise<World> => {
  const customers: string[] = [];
  for (let n = 0; n < CUSTOMERS; n++) customers.push(await buildCustomer(pool, { quietHoursExempt: true }));
  const { rows } = await pool.query<{ id: string }>(
    `insert into supplier (supplier_id, supplier_account, host, port, system_id, password_sealed)
     values (gen_random_uuid(), 'one', 'localhost', 1, 'one', '') returning supplier_id as id`,
  );
  return { customers, supplierId: rows[0]!.id };
};

const fill = async (pool: Pool, { customers, supplierId }: World, range: [number, number], later: boolean) => {
  await pool.query(
    `insert into batch (batch_id, customer_id, lane, supplier_id, route_id, message_count, not_before, cost, created_at)
     select $1::bigint + n, ($2::uuid[])[1 + n % $3], 2, $4, $4, 1, case when $5 then now() + interval '1 day' end, 3500,
       timestamptz '2026-01-01' + n * interval '1 millisecond'
     from generate_series($6::int, $7::int - 1) n`,
    [String(first), customers, CUSTOMERS, supplierId, later, ...range],
  );
};

/** Parks as the claims of a sender do, until nothing that is held is ready. */
const parkAll = async (pool: Pool, { supplierId }: World): Promise<void> => {
  for (;;) {
    const { queues } = await findReadyQueues(pool, [supplierId], new Map());
    if ((await withTransaction(pool, (tx) => parkHeld(tx, queues, NOON), BY_KEY)) === 0) return;
  }
};

/** Medians by what, milliseconds; everything is undone. */
const measureAll = async (pool: Pool, { customers, supplierId }: World): Promise<Map<string, number>> => {
  const took = new Map<string, number[]>();
  const client = await pool.connect();
  const time = async (what: string, work: (tx: PoolClient) => Promise<unknown>): Promise<void> => {
    await client.query('begin; set local enable_seqscan = off');
    const startedMs = performance.now();
    await work(client);
    took.set(what, [...(took.get(what) ?? []), performance.now() - startedMs]);
    await client.query('rollback');
  };
  for (let round = 0; round < ROUNDS; round++) {
    const { queues } = await findReadyQueues(client, [supplierId], new Map());
    const turns = queues.map((queue) => ({ ...queue, batches: 2 }));
    const claim = { owner, turns, messages: 2_000, except: [], manilaHour: NOON, leaseMs: 7_000 };
    await time('find ready queues', (tx) => findReadyQueues(tx, [supplierId], new Map()));
    await time(`claim for ${CUSTOMERS} customers`, (tx) => claimBatches(tx, claim));
    await time('find a batch to reroute', (tx) => lockFailingBatch(tx, [{ supplierId, codesOnly: false }], []));
    await time('funds of a customer', (tx) => getFunds(tx, customers[0]!));
  }
  client.release();
  return new Map([...took].map(([what, values]) => [what, median(values)]));
};

const measureHeld = async (): Promise<Figure[]> => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
  const database = await startEmbedded({ dataDir });
  try {
    await migrate({ url: database.url });
    const pool = makePool({ url: database.url, applicationName: 'pahatid bench', max: 2, statementTimeoutMs: 0 });
    const world = await makeWorld(pool);
    await fill(pool, world, [0, READY], false);
    const figures: Figure[] = [];
    let before = new Map<string, number>();
    let filled = READY;
    for (const held of HELD) {
      await fill(pool, world, [filled, READY + held], true);
      filled = READY + held;
      await parkAll(pool, world);
      // What was undone before, and the ready versions of what is parked now, as autovacuum removes them.
      await pool.query('vacuum analyze batch');
      const medians = await measureAll(pool, world);
      if (held === 0) before = medians;
      for (const [what, value] of medians) {
        const goal = held === 0 ? null : (before.get(what) ?? 0) * 1.2;
        figures.push({ what: `${what}, ${held} held`, value, unit: 'ms', goal, higherIsBetter: false });
      }
    }
    await pool.end();
    return figures;
  } finally {
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

export const claims: Bench = {
  name: 'claims',
  says: 'medians of 30, with batches that are held for a day, against 1.2 times those with none; then single messages of 1,000 customers through one sender',
  async measure([count = '6000']) {
    const held = await measureHeld();
    const single = await measureSending({ count: Number(count), windowSize: 100, customers: 1_000, slice: 1 });
    return {
      figures: [
        ...held,
        { what: 'single messages', value: single.perSecond, unit: 'messages/s', goal: null, higherIsBetter: true },
        cpuFigure('sender', single.cpuMicros.sender),
        cpuFigure('PostgreSQL', single.cpuMicros.postgres),
      ],
      remarks: [`${READY} ready batches of ${CUSTOMERS} customers; ${count} single messages.`],
    };
  },
};
