/** Invoices: what each line and sum is, against the ledger; months, their edges, and when they are final. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Invoice } from '@pahatid/contract';
import { many, one, run, sql, uuidV7, withTransaction } from '@pahatid/db';
import { buildApplication, buildCustomer, buildTopUp, buildUser } from '@pahatid/db/builders';
import { moveKeptSince } from '@pahatid/db/queries/kept-since';
import { foldLedger } from '@pahatid/db/queries/ledger-folding';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const goTo = (at: string): void => api.advance(Date.parse(at) - api.deps.now().getTime());
goTo('2026-05-10T04:00:00Z');

interface Entry {
  at: string;
  amount: number;
  kind?: 'charge' | 'adjustment';
  segments?: number;
  appId?: string;
  smsType?: number;
  carrier?: string;
  price?: number;
  batchId?: number;
  note?: string;
}

const makeWorld = async () => {
  const customerId = await buildCustomer(pool, { balance: 0 });
  const { userId } = await buildUser(pool, { customerId, role: 'owner' });
  const [shop, bank] = [
    await buildApplication(pool, { customerId, appName: 'Shop' }),
    await buildApplication(pool, { customerId, appName: 'Bank' }),
  ];
  const cookie = await api.signIn(userId);
  const enter = async (entries: readonly Entry[]) => {
    for (const entry of entries)
      await run(
        pool,
        sql`insert into ledger (customer_id, entry_id, at, kind, amount, segments, app_id, batch_id, note, sms_type, carrier, price)
            values (${customerId}, ${uuidV7()}, ${entry.at}, ${entry.kind ?? 'charge'}, ${entry.amount}, ${entry.segments ?? 0},
              ${entry.appId ?? null}, ${entry.batchId ?? null}, ${entry.note ?? null}, ${entry.smsType ?? null},
              ${entry.carrier ?? null}, ${entry.price ?? null})`,
      );
  };
  return {
    ...{ customerId, shop, bank, enter },
    topUp: (at: string, amount: number, note: string) =>
      buildTopUp(pool, { customerId, amount, at: new Date(at), note }),
    ask: (path: string, query: Record<string, string> = {}) =>
      api.ask(null, `GET ${path}`, { query, headers: { cookie } }),
  };
};
type World = Awaited<ReturnType<typeof makeWorld>>;

const charge = (at: string, appId: string, segments: number, price: number, more: object = {}): Entry => ({
  ...{ at, appId, segments, price, amount: -segments * price, smsType: 3, carrier: 'Globe', batchId: 4711 },
  ...more,
});

/** March in Manila: two applications, types, carriers and prices, a correction, a refund, top-ups; and both its edges. */
const plantMarch = async ({ shop, bank, enter, topUp }: World): Promise<void> => {
  await topUp('2026-02-10T00:00:00Z', 5_000_000, 'February');
  await enter([charge('2026-02-28T15:59:59.999Z', shop, 1, 3_333)]);
  await enter([
    charge('2026-02-28T16:00:00Z', shop, 3, 3_333),
    charge('2026-03-05T01:00:00Z', shop, 40, 3_333),
    charge('2026-03-05T02:00:00Z', shop, 7, 3_501),
    charge('2026-03-06T02:00:00Z', shop, 5, 3_501, { carrier: 'Smart' }),
    charge('2026-03-06T03:00:00Z', bank, 11, 9_999, { smsType: 1, carrier: undefined }),
    // Of an earlier release, which noted no price.
    { at: '2026-03-07T00:00:00Z', appId: shop, segments: 2, amount: -6_667, batchId: 4712 },
    // Charged too much, corrected by the program.
    { at: '2026-03-08T00:00:00Z', kind: 'adjustment', appId: shop, segments: -1, amount: 3_333, batchId: 4711 },
    { at: '2026-03-09T00:00:00Z', kind: 'adjustment', amount: 12_345, note: 'Goodwill' },
    { at: '2026-03-10T00:00:00Z', kind: 'adjustment', amount: -1_001, note: 'Fee' },
    charge('2026-03-31T15:59:59.999Z', bank, 1, 9_999, { smsType: 1, carrier: undefined }),
    charge('2026-03-31T16:00:00Z', shop, 100, 3_333),
  ]);
  await topUp('2026-03-05T03:00:00Z', 200_001, 'Slip 1');
  await topUp('2026-03-20T03:00:00Z', 200_002, 'Slip 2');
};

const sumBetween = async (customerId: string, from: string, to: string): Promise<number> =>
  (
    await one<{ n: number }>(
      pool,
      sql`select coalesce(sum(amount), 0)::float8 as n from ledger where customer_id = ${customerId} and at >= ${from} and at < ${to}`,
    )
  ).n;

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

test('an invoice’s lines and sums are those of the ledger’s month, to the last digit, folded or not', async () => {
  const world = await makeWorld();
  const { customerId, shop, bank } = world;
  await plantMarch(world);
  const check = async (): Promise<Invoice> => {
    const { status, body, text } = await world.ask('/billing/invoice', { month: '2026-03' });
    assert.equal(status, 200, text);
    const invoice = body as Invoice;
    const [start, end] = ['2026-02-28T16:00:00Z', '2026-03-31T16:00:00Z'];
    assert.equal(invoice.opening, await sumBetween(customerId, '2000-01-01', start));
    assert.equal(invoice.closing, await sumBetween(customerId, '2000-01-01', end));
    assert.equal(invoice.closing - invoice.opening, await sumBetween(customerId, start, end));
    assert.equal(invoice.charged, total(invoice.charges.map(({ amount }) => amount)));
    assert.equal(invoice.segments, total(invoice.charges.map(({ segments }) => segments)));
    const entered = (kind: string) =>
      total(invoice.entries.filter((row) => row.kind === kind).map((row) => row.amount));
    assert.deepEqual([entered('topUp'), entered('adjustment')], [invoice.toppedUp, invoice.adjusted]);
    assert.equal(invoice.opening - invoice.charged + invoice.toppedUp + invoice.adjusted, invoice.closing);
    for (const { price, segments, amount } of invoice.charges)
      if (price !== null) assert.equal(segments * price, amount);
    return invoice;
  };
  const invoice = await check();
  const lines = invoice.charges.map(({ appId, appName, smsType, carrier, price, segments, amount }) => [
    ...[appId, appName, smsType, carrier, price, segments, amount],
  ]);
  const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  assert.deepEqual(
    lines.sort(byText),
    [
      [shop, 'Shop', 3, 'Globe', 3_333, 43, 43 * 3_333],
      [shop, 'Shop', 3, 'Globe', 3_501, 7, 7 * 3_501],
      [shop, 'Shop', 3, 'Smart', 3_501, 5, 5 * 3_501],
      [shop, 'Shop', null, null, null, 1, 3_334],
      [bank, 'Bank', 1, null, 9_999, 12, 12 * 9_999],
    ].sort(byText),
  );
  assert.deepEqual(
    invoice.entries.map(({ kind, note, amount }) => [kind, note, amount]),
    [
      ['topUp', 'Slip 1', 200_001],
      ['adjustment', 'Goodwill', 12_345],
      ['adjustment', 'Fee', -1_001],
      ['topUp', 'Slip 2', 200_002],
    ],
  );
  await withTransaction(pool, (tx) => foldLedger(tx, customerId, '2026-05-01', 10_000));
  assert.deepEqual(await check(), invoice);
  assert.partialDeepStrictEqual(invoice, {
    ...{ zone: 'Asia/Manila', from: '2026-03-01', to: '2026-03-31', isFinal: true },
    number: `202603-${customerId.slice(-12).toUpperCase()}`,
  });
});

test('the months are those of the ledger, with their sums; a month is final three hours after its end in Manila', async () => {
  const world = await makeWorld();
  assert.deepEqual((await world.ask('/billing/invoices')).body, { items: [] });
  assert.equal((await world.ask('/billing/invoice', { month: '2026-03' })).status, 404);
  await plantMarch(world);
  const list = async () =>
    (await world.ask('/billing/invoices')).body.items.map((row: Invoice) => [
      ...[row.month, row.charged, row.segments, row.isFinal],
    ]);
  const march = (await world.ask('/billing/invoice', { month: '2026-03' })).body as Invoice;
  assert.deepEqual(await list(), [
    ['2026-05', 0, 0, false],
    ['2026-04', 333_300, 100, true],
    ['2026-03', march.charged, march.segments, true],
    ['2026-02', 3_333, 1, true],
  ]);
  for (const month of ['2026-06', '2026-01'])
    assert.equal((await world.ask('/billing/invoice', { month })).status, 404);
  for (const [at, isFinal] of [
    ['2026-04-30T16:00:00Z', false],
    ['2026-04-30T18:59:00Z', false],
    ['2026-04-30T19:00:00Z', true],
  ] as const) {
    goTo(at);
    assert.equal((await world.ask('/billing/invoice', { month: '2026-04' })).body.isFinal, isFinal, at);
  }
});

test('months of which entries were deleted for their age have no invoice', async () => {
  goTo('2026-05-10T05:00:00Z');
  const world = await makeWorld();
  await plantMarch(world);
  const months = async () => (await world.ask('/billing/invoices')).body.items.map((row: Invoice) => row.month);
  await withTransaction(pool, (tx) => moveKeptSince(tx, 'ledger', new Date('2026-02-28T16:00:00Z')));
  assert.deepEqual(await months(), ['2026-05', '2026-04', '2026-03']);
  await withTransaction(pool, (tx) => moveKeptSince(tx, 'ledger', new Date('2026-02-28T16:00:01Z')));
  assert.deepEqual(await months(), ['2026-05', '2026-04']);
  assert.equal((await world.ask('/billing/invoice', { month: '2026-03' })).status, 404);
  assert.equal((await many(pool, sql`select from kept_since where table_name = 'ledger'`)).length, 1);
});
