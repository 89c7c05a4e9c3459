import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { leaseWriter, type MessageIdSource, uuidV7, withTransaction } from '@pahatid/db';
import {
  buildApplication,
  buildCustomer,
  buildDefaultPrice,
  buildPrefixes,
  buildRoute,
  buildSupplier,
  buildTask,
  buildTemplate,
} from '@pahatid/db/builders';
import { testDatabase } from '@pahatid/testkit';
import { NoRouteError, RoutingTable } from '../route/routing-table.ts';
import { type AcceptRequest, acceptMessages, LimitError, type Recipient } from './accept.ts';

const { pool } = await testDatabase();
const secrets = { seal: (_purpose: string, text: string) => text, hashSmppPassword: () => Buffer.alloc(32) };
let ids: MessageIdSource;
let routing: RoutingTable;
let customerId: string;
let appId: string;
const suppliers: string[] = [];

before(async () => {
  customerId = await buildCustomer(pool);
  appId = await buildApplication(pool, { customerId });
  for (const [index, carrier] of ['Globe', 'Smart'].entries()) {
    const supplierId = await buildSupplier(pool, {
      supplierAccount: carrier,
      port: 1,
      systemId: 's',
      password: 'p',
      secrets,
    });
    suppliers.push(supplierId);
    await buildRoute(pool, { routeName: carrier, supplierId, carrier, priority: 10 });
    if (index === 0) await buildRoute(pool, { routeName: 'Default', supplierId });
  }
  await buildPrefixes(pool, [
    { prefix: '63917', carrier: 'Globe' },
    { prefix: '63918', carrier: 'Smart' },
  ]);
  await buildDefaultPrice(pool, 3500);
  await pool.query(`insert into price (price_id, carrier, price) values ($1, 'Smart', 4000)`, [uuidV7()]);
  routing = await RoutingTable.load(pool);
  ids = (await leaseWriter(pool, uuidV7())).ids;
});

const request = (recipients: Recipient[], more: Partial<AcceptRequest> = {}): AcceptRequest => ({
  customerId,
  appId,
  smsType: 2,
  clientSid: 'PAHATID',
  chargeType: 'SenderPays',
  taskId: null,
  round: 0,
  notBefore: null,
  recipients,
  ...more,
});
const to = (msisdn: string, pkgTotal = 1): Recipient => ({
  msisdn,
  areaCode: 'PH',
  content: `Hi\t\\ ${msisdn}\n`,
  pkgTotal,
});
const accept = (wanted: AcceptRequest) => withTransaction(pool, (tx) => acceptMessages(tx, { ids, routing }, wanted));

test('each recipient is one row, routed and priced by range, in batches of ids without a gap', async () => {
  const recipients = Array.from({ length: 2_500 }, (_, i) =>
    to(`${i % 2 === 0 ? '63917' : '63918'}${String(i).padStart(7, '0')}`, (i % 2) + 1),
  );
  const accepted = await accept(request(recipients));
  assert.equal(accepted.accepted, 2_500);
  assert.equal(accepted.segments, 1_250 + 2_500);
  assert.equal(accepted.estimatedCost, 1_250 * 3_500 + 2_500 * 4_000);
  assert.deepEqual(
    accepted.batches.map((batch) => batch.messageCount).toSorted((a, b) => b - a),
    [1000, 1000, 250, 250],
  );
  assert.equal(new Set(accepted.messageIds).size, 2_500);
  const { rows } = await pool.query(
    `select m.msisdn, m.content, m.price, m.carrier, m.supplier_id, b.batch_id from message m
     join batch b on m.message_id >= b.batch_id and m.message_id < b.batch_id + b.message_count and b.supplier_id = m.supplier_id
     where m.customer_id = $1 order by m.msisdn`,
    [customerId],
  );
  assert.equal(rows.length, 2_500);
  for (const row of rows) {
    const isSmart = row.msisdn.startsWith('63918');
    assert.deepEqual(
      [row.carrier, row.price, row.supplier_id],
      isSmart ? ['Smart', 4000, suppliers[1]] : ['Globe', 3500, suppliers[0]],
    );
    assert.equal(row.content, `Hi\t\\ ${row.msisdn}\n`);
  }
  const seventh = await pool.query('select msisdn from message where customer_id = $1 and message_id = $2', [
    customerId,
    String(accepted.messageIds[7]),
  ]);
  assert.equal(seventh.rows[0].msisdn, recipients[7]!.msisdn);
  const total = await pool.query('select sum(req_total) n from report_minute where customer_id = $1', [customerId]);
  assert.equal(Number(total.rows[0].n), 2_500);
});

test('an unknown range takes the default route; a transaction rolled back leaves nothing', async () => {
  const accepted = await accept(request([to('63999000001')]));
  assert.equal(accepted.batches[0]?.supplierId, suppliers[0]);
  const before = await pool.query('select count(*) n from message');
  await assert.rejects(
    withTransaction(pool, async (tx) => {
      await acceptMessages(tx, { ids, routing }, request([to('63917000009')]));
      throw new Error('later');
    }),
  );
  const after = await pool.query('select count(*) n from message');
  assert.equal(after.rows[0].n, before.rows[0].n);
});

test('without any route nothing is accepted', async () => {
  const none = new RoutingTable({ prefixes: [], routes: [], prices: [], internalCustomers: [] });
  await assert.rejects(
    withTransaction(pool, (tx) => acceptMessages(tx, { ids, routing: none }, request([to('63917000010')]))),
    NoRouteError,
  );
});

test('a given outcome ends the messages immediately, uncharged, and counts them as refused', async () => {
  const accepted = await accept(
    request([to('639170000011')], { outcome: { sendStatus: 2, clientStatus: 7, dealResult: 'TERMINATED' } }),
  );
  const batch = await pool.query('select state, failed_count from batch where batch_id = $1', [
    String(accepted.firstId),
  ]);
  assert.deepEqual(batch.rows[0], { state: 2, failed_count: 1 });
});

/** A separate customer with a task being sent, and a limit. */
const limited = async (columns: Record<string, unknown>) => {
  const mine = { customerId: await buildCustomer(pool) };
  const own = { ...mine, appId: await buildApplication(pool, mine) };
  const templateId = await buildTemplate(pool, { ...own, smsType: 2 });
  const taskId = await buildTask(pool, { ...own, templateId, smsType: 2, taskStatus: 5 });
  const names = Object.keys(columns);
  await pool.query(
    `insert into threshold (threshold_id, customer_id, ${names.join(', ')}) values ($1, $2, ${names.map((_, i) => `$${i + 3}`).join(', ')})`,
    [uuidV7(), own.customerId, ...Object.values(columns)],
  );
  return { own, taskId };
};
const fill = (count: number, from = 0): Recipient[] =>
  Array.from({ length: count }, (_, i) => to(`63917${String(from + i).padStart(7, '0')}`));

test('recipients of a task at their frequency limit end unsent, counted and not charged; the others are sent', async () => {
  const { own, taskId } = await limited({ kind: 'frequency', per_day: 1 });
  await accept(request(fill(3), { ...own, taskId }));
  const accepted = await accept(request(fill(5), { ...own, taskId }));
  const { rows } = await pool.query(
    `select send_status, client_status, deal_result from message where customer_id = $1 and message_id >= $2 order by msisdn`,
    [own.customerId, String(accepted.firstId)],
  );
  const [stopped, going] = [
    { send_status: 2, client_status: 7, deal_result: 'BLOCKED_FREQUENCY' },
    { send_status: 0, client_status: 0, deal_result: null },
  ];
  assert.deepEqual(rows, [stopped, stopped, stopped, going, going]);
  const count = async (text: string) => (await pool.query(text, [own.customerId])).rows[0];
  assert.deepEqual(await count('select sum(failed_count)::int n from task_progress where customer_id = $1'), { n: 3 });
  assert.deepEqual(
    await count('select sum(req_total)::int t, sum(req_fail)::int f from report_minute where customer_id = $1'),
    { t: 8, f: 3 },
  );
  assert.deepEqual(await count('select sum(failed_count)::int f, min(state) s from batch where customer_id = $1'), {
    f: 3,
    s: 0,
  });
  const again = await accept(request(fill(2), { ...own, taskId }));
  const batch = await pool.query('select state, failed_count from batch where batch_id = $1', [String(again.firstId)]);
  assert.deepEqual(batch.rows[0], { state: 2, failed_count: 2 }, 'a batch of nothing but blocked ones is done');
});

test('a task fills a volume exactly, and the rest is held for the periods to come', async () => {
  const { own, taskId } = await limited({ kind: 'volume', period: 'day', unit: 'messages', limit_at: 10 });
  await accept(request(fill(4), { ...own, taskId }));
  const accepted = await accept(request(fill(25, 100), { ...own, taskId }));
  assert.equal(new Set(accepted.messageIds).size, 25);
  const { rows } = await pool.query<{ day: number | null; n: number }>(
    `select round(extract(epoch from not_before - date_trunc('day', now() at time zone 'Asia/Manila') at time zone 'Asia/Manila') / 86400)::int as day,
       sum(message_count)::int as n from batch where customer_id = $1 group by 1 order by 1 nulls first`,
    [own.customerId],
  );
  assert.deepEqual(rows, [
    { day: null, n: 10 },
    { day: 1, n: 10 },
    { day: 2, n: 9 },
  ]);
  const used = await pool.query('select used::int from volume_count where customer_id = $1 order by period_start', [
    own.customerId,
  ]);
  assert.deepEqual(
    used.rows.map((row) => row.used),
    [10, 10, 9],
  );
});

test('what no period has room for is refused, and so is what belongs to no task; then nothing is counted', async () => {
  const none = await limited({ kind: 'volume', period: 'hour', unit: 'messages', limit_at: 0 });
  const byTask = request(fill(1), { ...none.own, taskId: none.taskId });
  await assert.rejects(accept(byTask), (error: unknown) => error instanceof LimitError && error.by === 'volume');
  const few = await limited({ kind: 'volume', period: 'hour', unit: 'segments', limit_at: 2 });
  await assert.rejects(accept(request(fill(3), few.own)), LimitError);
  await accept(request(fill(2), few.own));
  const often = await limited({ kind: 'frequency', per_hour: 1 });
  await accept(request(fill(1), often.own));
  await assert.rejects(
    accept(request(fill(1), often.own)),
    (error: unknown) => error instanceof LimitError && error.by === 'frequency' && error.retryAfterMs <= 3_600_000,
  );
});

test('one customer’s limits hold no other', async () => {
  await limited({ kind: 'volume', period: 'month', unit: 'cost', limit_at: 0 });
  assert.equal((await accept(request(fill(3, 500)))).accepted, 3);
});

test('a writer number taken over never repeats an id, also when the owner before was ahead of the clock', async () => {
  const owner = uuidV7();
  const first = await leaseWriter(pool, owner);
  let last = 0n;
  for (let i = 0; i < 300; i++) last = first.ids.take(1_000);
  const { writer } = first;
  await pool.query(`update writer_lease set lease_until = '-infinity' where writer = $1`, [writer]);
  await pool.query(`update writer_lease set lease_until = 'infinity' where writer <> $1`, [writer]);
  const second = await leaseWriter(pool, uuidV7());
  assert.equal(second.writer, writer);
  assert.ok(second.ids.take(1) > last + 1_000n);
  // The process that lost the lease is notified, and can't keep using the old number.
  await assert.rejects(first.renew(), /256/);
  await second.release();
});
