import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ClientStatus, SendStatus } from '@pahatid/contract';
import { messageIdFloor, withTransaction } from '@pahatid/db';
import {
  type BatchSpec,
  buildApplication,
  buildBatches,
  buildCustomer,
  buildSimulatedCarriers,
  buildTask,
  buildTemplate,
  type MessageSpec,
} from '@pahatid/db/builders';
import type { ScanLimits } from '@pahatid/db/queries/record-scan';
import { listRecords, type RecordFilter, type RecordRow } from '@pahatid/db/queries/records';
import { listSendDetails } from '@pahatid/db/queries/task-details';
import { testDatabase } from '@pahatid/testkit';
import type { PoolClient } from 'pg';

const { pool } = await testDatabase();
const secrets = { seal: (_purpose: string, text: string) => text, hashSmppPassword: () => Buffer.alloc(32) };
const minuteMs = 60_000;
const unbounded = Number.POSITIVE_INFINITY;
const start = Math.floor(Date.now() / minuteMs) * minuteMs - 10 * minuteMs;
const everything = { fromMs: start - 30 * 86_400_000, toMs: start + 86_400_000 };
let routeIds: Record<'Globe' | 'Smart', { supplierId: string; routeId: string }>;

before(async () => {
  const { suppliers, routes } = await buildSimulatedCarriers(pool, { port: 1, secrets });
  routeIds = {
    Globe: { supplierId: suppliers.Globe, routeId: routes.Globe },
    Smart: { supplierId: suppliers.Smart, routeId: routes.Smart },
  };
});

interface Shop {
  customerId: string;
  appId: string;
}

const makeShop = async (): Promise<Shop> => {
  const customerId = await buildCustomer(pool, {});
  return { customerId, appId: await buildApplication(pool, { customerId }) };
};

const batchOf = (shop: Shop, at: Date, messages: MessageSpec[], more: Partial<BatchSpec> = {}): BatchSpec => ({
  ...shop,
  smsType: 2,
  clientSid: 'SHOP',
  ...routeIds.Globe,
  at,
  messages,
  ...more,
});

const messages = (count: number, clientStatus: ClientStatus, more: Partial<MessageSpec> = {}): MessageSpec[] =>
  Array.from({ length: count }, (_, n) => ({
    msisdn: `63917${String(n).padStart(7, '0')}`,
    content: 'Hello',
    carrier: 'Globe',
    clientStatus,
    ...more,
  }));

const build = (specs: BatchSpec[]): Promise<void> => withTransaction(pool, (tx) => buildBatches(tx, specs));

/** Rows of message that the work reads, by index or not. */
const countRowsRead = async (work: (tx: PoolClient) => Promise<unknown>): Promise<number> =>
  withTransaction(pool, async (tx) => {
    await work(tx);
    const { rows } = await tx.query<{ read: string }>(
      `select sum(coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0)) as read
       from pg_stat_xact_user_tables where relname like 'message\\_%' and relname ~ '^message_(default|[0-9]+)$'`,
    );
    return Number(rows[0]?.read);
  });

const page = { ...everything, before: null, limit: 20 };

test('a status is found below 60,000 terminated messages, on the first page', async () => {
  const shop = await makeShop();
  const [delivered, terminated] = [ClientStatus.Delivered, ClientStatus.Blocked];
  const at = (n: number) => new Date(start - n);
  const templateId = await buildTemplate(pool, shop);
  const taskId = await buildTask(pool, { ...shop, templateId, smsType: 2, taskStatus: 9, totalCount: 60_200 });
  await build([
    batchOf(shop, new Date(start - 3_600_000), messages(300, delivered)),
    // Those of the task's own first minute lie in the minute of its rest.
    batchOf(shop, at(60), messages(200, delivered), { taskId }),
    ...Array.from({ length: 60 }, (_, n) => batchOf(shop, at(n), messages(1000, terminated), { taskId })),
    batchOf(shop, new Date(start + 10), messages(5, ClientStatus.Undelivered), { taskId }),
  ]);
  for (const more of [{}, { taskId }]) {
    const filter = { clientStatus: [delivered], ...more };
    const first = await listRecords(pool, [shop.customerId], filter, page);
    assert.equal(first.rows.length, 20);
    assert.equal(first.searchedTo, null);
    assert.ok(first.rows.every((row) => row.clientStatus === delivered));
    const read = await countRowsRead((tx) => listRecords(tx, [shop.customerId], filter, page));
    assert.ok(read < 3_000, `${read} rows read`);
  }
  const all = await listRecords(pool, [shop.customerId], { clientStatus: [delivered] }, { ...page, limit: 600 });
  assert.equal(all.rows.length, 500);
  assert.equal(all.next, null);
  // The detail of the task is read in the other direction, from its first message on.
  const { customerId } = shop;
  const asked = { customerId, taskId, clientStatus: [ClientStatus.Undelivered], after: null, limit: 20 };
  const details = await listSendDetails(pool, asked);
  assert.deepEqual([details.rows.length, details.next], [5, null]);
});

test('one page of staff reads a bounded number of rows for all customers together', async () => {
  const shops = await Promise.all(Array.from({ length: 40 }, makeShop));
  await build(
    shops.flatMap((shop, s) =>
      // All in one minute, two thousand each.
      [0, 1].map((n) =>
        batchOf(shop, new Date(start + s * 10 + n), messages(1000, ClientStatus.Submitted), { writer: 100 + s }),
      ),
    ),
  );
  const look = (filter: RecordFilter) => (tx: PoolClient) => listRecords(tx, null, filter, page);
  assert.equal((await listRecords(pool, null, {}, page)).rows.length, 20);
  const newest = await countRowsRead(look({}));
  assert.ok(newest < 45_000, `${newest} rows read for the newest`);
  // No count rules them out: each round reads 20,000 rows, at most twice.
  const rare = await countRowsRead(look({ msisdnPrefix: '63999' }));
  assert.ok(rare < 250_000, `${rare} rows read for what none has`);
});

test('if nothing is found yet the page returns how far it searched, and the next one continues', async () => {
  const shop = await makeShop();
  await build(
    Array.from({ length: 30 }, (_, n) =>
      batchOf(shop, new Date(start - n * minuteMs), messages(100, ClientStatus.Delivered), { writer: 200 }),
    ),
  );
  const limits: ScanLimits = { cells: 100, rows: 200, rounds: 2, budgetMs: unbounded };
  const filter = { msisdnPrefix: '6390' };
  const first = await listRecords(pool, [shop.customerId], filter, page, limits);
  assert.equal(first.rows.length, 0);
  assert.ok(first.next !== null && first.searchedTo !== null);
  assert.equal(messageIdFloor(first.searchedTo.getTime()), BigInt(first.next));
  assert.ok(first.searchedTo.getTime() <= start - 2 * minuteMs && first.searchedTo.getTime() > start - 8 * minuteMs);
  // Out of time after the first round, it looked half as far.
  const short = await listRecords(pool, [shop.customerId], filter, page, { ...limits, budgetMs: 0 });
  assert.ok(short.searchedTo !== null && short.searchedTo > first.searchedTo);
  let next: string | null = first.next;
  let pages = 1;
  for (; next !== null; pages++)
    ({ next } = await listRecords(pool, [shop.customerId], filter, { ...page, before: next }, limits));
  assert.ok(pages > 3 && pages < 20, `${pages} pages`);
});

test('many minutes of few rows are one look', async () => {
  const shop = await makeShop();
  await build(
    Array.from({ length: 300 }, (_, n) =>
      batchOf(shop, new Date(start - 50 * 86_400_000 - 2 * n * minuteMs), messages(n % 40, ClientStatus.Delivered), {
        writer: 201,
      }),
    ).filter((spec) => spec.messages.length > 0),
  );
  const range = { ...page, fromMs: start - 60 * 86_400_000, toMs: start - 49 * 86_400_000 };
  const found = await listRecords(pool, [shop.customerId], { msisdnPrefix: '6390' }, range, {
    cells: 1_000,
    rows: 3_000,
    rounds: 2,
    budgetMs: unbounded,
  });
  assert.deepEqual([found.rows.length, found.next], [0, null]);
});

test('consecutive pages return what a full scan finds, whatever the limits', async () => {
  const shops = await Promise.all(Array.from({ length: 4 }, makeShop));
  let seed = 20261122;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const pick = <T>(from: readonly T[]): T => from[next(from.length)]!;
  const specs: BatchSpec[] = [];
  for (let n = 0; n < 160; n++) {
    const shop = pick(shops);
    const carrier = pick(['Globe', 'Smart'] as const);
    const at = new Date(start - 40 * 86_400_000 + next(25) * minuteMs + n * 7);
    const clientStatus = pick(Object.values(ClientStatus));
    const mixed = messages(1 + next(30), clientStatus, { carrier }).map((message) =>
      next(4) === 0 ? { ...message, clientStatus: pick([2, 3, 6, 7] as const) } : message,
    );
    const more = {
      ...routeIds[carrier],
      smsType: pick([1, 2, 3] as const),
      clientSid: pick(['SHOP', 'Promo']),
      writer: n,
    };
    specs.push(batchOf(shop, at, mixed, more));
  }
  await build(specs);
  const range = { fromMs: start - 41 * 86_400_000, toMs: start - 39 * 86_400_000 };
  const all = await listEveryRow(shops.map((shop) => shop.customerId));
  assert.ok(all.length > 1_500);
  const limitSets: ScanLimits[] = [
    { cells: 7, rows: 11, rounds: 1, budgetMs: unbounded },
    { cells: 50, rows: 60, rounds: 3, budgetMs: unbounded },
    { cells: 1, rows: 1000, rounds: 2, budgetMs: unbounded },
    { cells: 50, rows: 60, rounds: 3, budgetMs: 0 },
  ];
  for (let turn = 0; turn < 30; turn++) {
    const one = pick(shops);
    const readers = pick([null, [one.customerId], shops.map((shop) => shop.customerId)]);
    const filter: RecordFilter = {
      ...(next(2) === 0 && { clientStatus: [pick(Object.values(ClientStatus)), pick(Object.values(ClientStatus))] }),
      ...(next(3) === 0 && { sendStatus: [pick(Object.values(SendStatus))] }),
      ...(next(3) === 0 && { carrier: pick(['Globe', 'Smart', 'DITO']) }),
      ...(next(3) === 0 && { smsType: [pick([1, 2, 3])] }),
      ...(next(3) === 0 && { clientSid: pick(['shop', 'PROMO']) }),
      ...(next(5) === 0 && { appId: one.appId }),
      ...(next(5) === 0 && { msisdnPrefix: '639170000' }),
      ...(next(5) === 0 && { msisdnPrefix: '63917000000' }),
    };
    const found: string[] = [];
    let before: string | null = null;
    const limits = pick(limitSets);
    for (let calls = 0; calls < 5_000; calls++) {
      const got = await listRecords(pool, readers, filter, { ...range, before, limit: 1 + next(40) }, limits);
      found.push(...got.rows.map((row) => row.messageId));
      before = got.next;
      if (before === null) break;
    }
    const wanted = all.filter((row) => matches(row, filter, readers)).map((row) => row.messageId);
    assert.deepEqual(found, wanted, JSON.stringify({ filter, readers: readers?.length, limits }));
  }

  async function listEveryRow(customerIds: string[]): Promise<RecordRow[]> {
    const rows: RecordRow[] = [];
    for (const customerId of customerIds)
      rows.push(...(await listRecords(pool, [customerId], {}, { ...range, before: null, limit: 5_000 })).rows);
    return rows.sort((a, b) => (BigInt(a.messageId) < BigInt(b.messageId) ? 1 : -1));
  }
});

const matches = (row: RecordRow, filter: RecordFilter, readers: readonly string[] | null): boolean =>
  (readers === null || readers.includes(row.customerId)) &&
  (filter.clientStatus?.includes(row.clientStatus) ?? true) &&
  (filter.sendStatus?.includes(row.sendStatus) ?? true) &&
  (filter.carrier === undefined || row.carrier === filter.carrier) &&
  (filter.smsType?.includes(row.smsType) ?? true) &&
  (filter.clientSid === undefined || row.clientSid.toLowerCase() === filter.clientSid.toLowerCase()) &&
  (filter.appId === undefined || row.appId === filter.appId) &&
  (filter.msisdnPrefix === undefined || row.msisdn.startsWith(filter.msisdnPrefix));
