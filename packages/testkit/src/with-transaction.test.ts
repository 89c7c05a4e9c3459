/** Tests `withTransaction` of packages/db; it is here because the proxy that cuts connections is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommitUnknownError, getConstraint, isPassing, makePool, refusedDataCode, withTransaction } from '@pahatid/db';
import { TcpProxy } from './tcp-proxy.ts';
import { testDatabase } from './test-database.ts';
import { until } from './until.ts';

const db = await testDatabase({ migrated: false });
await db.pool.query('create table account (id integer primary key, amount integer not null)');
await db.pool.query('insert into account select id, 100 from generate_series(1, 2) id');
const url = new URL(db.url);
const proxy = await TcpProxy.start({ port: Number(url.port) });
const proxied = makePool({ url: proxy.through(db.url), applicationName: 'by proxy', max: 4 });
db.beforeClose(async () => {
  await proxied.end();
  await proxy.close();
});

const amountOf = async (id: number): Promise<number> =>
  (await db.pool.query('select amount from account where id = $1', [id])).rows[0].amount;

test('two transactions that deadlock both happen', async () => {
  let arrived = 0;
  const bothHold = Promise.withResolvers<void>();
  const move = (first: number, second: number) =>
    withTransaction(db.pool, async (tx) => {
      await tx.query('update account set amount = amount + 1 where id = $1', [first]);
      if (++arrived === 2) bothHold.resolve();
      await bothHold.promise;
      await tx.query('update account set amount = amount + 1 where id = $1', [second]);
    });
  await Promise.all([move(1, 2), move(2, 1)]);
  assert.ok(arrived > 2, 'there was no deadlock');
  assert.deepEqual([await amountOf(1), await amountOf(2)], [102, 102]);
});

test('a serialisation failure is run again', async () => {
  let runs = 0;
  await withTransaction(db.pool, async (tx) => {
    runs++;
    await tx.query('set transaction isolation level repeatable read');
    const { rows } = await tx.query('select amount from account where id = 1');
    if (runs === 1) await db.pool.query('update account set amount = 500 where id = 1');
    await tx.query('update account set amount = $1 where id = 1', [rows[0].amount + 1]);
  });
  assert.equal(runs, 2);
  assert.equal(await amountOf(1), 501);
});

test('a connection lost in the middle is replaced and the whole run again', async () => {
  const before = await amountOf(2);
  let runs = 0;
  await withTransaction(proxied, async (tx) => {
    runs++;
    await tx.query('update account set amount = amount + 1 where id = 2');
    if (runs === 1) proxy.cut();
    await tx.query('select 1');
  });
  assert.equal(runs, 2);
  assert.equal(await amountOf(2), before + 1);
});

test('a backend that is terminated is replaced and the whole run again', async () => {
  let runs = 0;
  await withTransaction(db.pool, async (tx) => {
    runs++;
    const { rows } = await tx.query('select pg_backend_pid() as pid');
    if (runs === 1) await db.pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
    await tx.query('select 1');
  });
  assert.equal(runs, 2);
});

test('a COMMIT whose response was lost is never run again: it happened', async () => {
  const before = await amountOf(2);
  const cut = proxy.cutAfterPattern('toServer', 'commit');
  let runs = 0;
  await assert.rejects(
    withTransaction(proxied, async (tx) => {
      runs++;
      await tx.query('update account set amount = amount + 1 where id = 2');
    }),
    CommitUnknownError,
  );
  await cut;
  assert.equal(runs, 1);
  // The server may still be working on it: only its response was cut off.
  await until(async () => (await amountOf(2)) === before + 1, { what: 'the commit' });
});

test('a permanent failure is rolled back, rethrown unchanged, and not retried', async () => {
  let runs = 0;
  const error = await withTransaction(db.pool, async (tx) => {
    runs++;
    await tx.query('update account set amount = 0 where id = 1');
    await tx.query('insert into account values (1, 1)');
  }).catch((thrown: unknown) => thrown);
  assert.equal(runs, 1);
  assert.equal(getConstraint(error), 'account_pkey');
  assert.equal(await amountOf(1), 501);
});

test('a shard suffix is no part of a constraint name', () => {
  assert.equal(getConstraint({ constraint: 'message_pkey_102008' }), 'message_pkey');
  assert.equal(getConstraint({ constraint: 'price_2' }), 'price_2');
  assert.equal(getConstraint(new Error('x')), null);
});

test('data that a node of Citus refuses is refused; a node that it can not reach is none of it', () => {
  const refuse = (message: string) =>
    refusedDataCode(Object.assign(new Error(message), { code: 'XX000', routine: 'ReportCopyError' }));
  assert.equal(
    refuse('index row size 8032 exceeds btree version 4 maximum 2704 for index "dlr_route_idx_102030"'),
    '54000',
  );
  assert.equal(refuse('duplicate key value violates unique constraint "message_pkey_102008"'), '23505');
  assert.equal(refuse('could not extend file: No space left on device'), null);
  assert.equal(refuse('connection to the remote node failed'), null);
});

test('Citus failing to reach a node passes; a defect of ours does not', () => {
  assert.ok(isPassing(Object.assign(new Error('connection to the remote node failed'), { code: 'XX000' })));
  assert.ok(!isPassing(Object.assign(new Error('cache lookup failed'), { code: 'XX000' })));
  assert.ok(!isPassing(Object.assign(new Error('duplicate'), { code: '23505' })));
  assert.ok(!isPassing(new TypeError('x is not a function')));
});
