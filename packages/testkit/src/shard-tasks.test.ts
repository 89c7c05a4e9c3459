/**
 * On Citus: what the statements of sending send to other nodes. Each is one task for each customer (or account) that it is
 * about, never one for each shard; control tables and messages are committed together.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BY_KEY,
  type Fragment,
  findRoutes,
  insertMessages,
  insertMissingRoutes,
  insertRoutes,
  loadWaitingMessages,
  lockMessages,
  messageIdAt,
  type NewMessage,
  run,
  sql,
  uuidV7,
  withTransaction,
  writeOutcomes,
} from '@pahatid/db';
import type pg from 'pg';
import { testClusterUrl } from './test-cluster.ts';
import { testDatabase } from './test-database.ts';
import { isOnCitus } from './test-nodes.ts';

const onCitus = await isOnCitus(await testClusterUrl());
const skip = onCitus ? false : 'PAHATID_TEST_URL names no Citus cluster';
const db = onCitus ? await testDatabase() : null;

const supplierId = uuidV7();
const customers = [uuidV7(), uuidV7(), uuidV7()];
const EACH = 50;
const first = messageIdAt(Date.now(), 255);
const idOf = (customer: number, place: number): bigint => first + (BigInt(customer) << 18n) + BigInt(place);
const places = Array.from({ length: EACH }, (_, place) => place);

const newMessage = (customer: number, place: number): NewMessage => ({
  ...{
    customerId: customers[customer]!,
    messageId: idOf(customer, place),
    taskId: null,
    templateId: null,
    appId: 'app',
  },
  ...{ smsType: 3, msisdn: `6391700000${place + 10}`, areaCode: 'PH', rangeHolder: null, carrier: null },
  ...{ clientSid: 'SHOP', content: 'Hello', pkgTotal: 1, chargeType: 'SenderPays', price: 3500 },
  ...{ routeId: uuidV7(), supplierId, retryOf: null, sendStatus: 0, clientStatus: 0, dealResult: null, smpp: null },
});

const logCommands = async (tx: pg.PoolClient): Promise<void> => {
  await tx.query(
    `select set_config('citus.log_remote_commands', 'on', true), set_config('client_min_messages', 'notice', true)`,
  );
};

/** The tasks of `work` on the shards of a table, by shard. */
const countTasks = async (table: string, work: (tx: pg.PoolClient) => Promise<unknown>): Promise<number[]> => {
  const tasks = new Map<string, number>();
  await withTransaction(
    db!.pool,
    async (tx) => {
      await logCommands(tx);
      const note = ({ message }: { message?: string | undefined }): void => {
        const shard = message?.startsWith('issuing')
          ? new RegExp(`\\b${table}_(\\d{6,})`).exec(message)?.[1]
          : undefined;
        if (shard !== undefined) tasks.set(shard, (tasks.get(shard) ?? 0) + 1);
      };
      tx.on('notice', note);
      await work(tx);
      tx.removeListener('notice', note);
    },
    BY_KEY,
  );
  return [...tasks.values()];
};

const sum = (counts: readonly number[]): number => counts.reduce((all, each) => all + each, 0);

/** `of`: what the statement is about; of one customer it is one task, of three no more than three. */
const statements: Record<
  string,
  { table: string; work: (tx: pg.PoolClient, of: readonly number[]) => Promise<unknown> }
> = {
  'accepting messages': {
    table: 'message',
    work: (tx, of) =>
      insertMessages(
        tx,
        of.flatMap((customer) => places.map((place) => newMessage(customer, place))),
      ),
  },
  'reading what waits': {
    table: 'message',
    work: (tx, of) =>
      loadWaitingMessages(
        tx,
        of.map((each) => ({
          ...{ customerId: customers[each]!, batchId: idOf(each, 0), messageCount: EACH, checkOptOut: true },
        })),
      ),
  },
  'writing results': {
    table: 'message',
    work: async (tx, of) =>
      assert.deepEqual(
        await writeOutcomes(
          tx,
          of.flatMap((customer) =>
            places.map((place) => ({
              ...{
                customerId: customers[customer]!,
                messageId: idOf(customer, place),
                dealResult: null,
                carrierCode: null,
              },
              before: { sendStatus: 0, clientStatus: 0, partsDelivered: 0 },
              after: { sendStatus: 3, clientStatus: 1 },
              ...{ submittedMs: 1, answeredMs: 2, reportMs: null, partsDelivered: 0 },
            })),
          ),
        ),
        [],
      ),
  },
  'locking messages of receipts': {
    table: 'message',
    work: async (tx, of) => {
      const keys = of.flatMap((each) =>
        places.map((place) => ({ customerId: customers[each]!, messageId: idOf(each, place) })),
      );
      assert.equal((await lockMessages(tx, keys)).length, keys.length);
    },
  },
};

for (const [name, { table, work }] of Object.entries(statements))
  test(`${name} is one task for each customer`, { skip }, async () => {
    const one = await countTasks(table, (tx) => work(tx, [0]));
    assert.ok(sum(one) >= 1, 'it reads the table');
    assert.equal(one.length, 1, `tasks on ${one.length} shards`);
    const others = await countTasks(table, (tx) => work(tx, [1, 2]));
    assert.ok(others.length <= 2 && sum(others) <= 2 * sum(one), `${sum(others)} tasks on ${others.length} shards`);
  });

test('routes of receipts are one task for each account', { skip }, async () => {
  const routes = places.map((place) => ({
    ...{ supplierId, carrierMessageId: `id${place}`, customerId: customers[0]!, messageId: idOf(0, place), part: 1 },
  }));
  const works = [
    (tx: pg.PoolClient) => insertRoutes(tx, routes),
    (tx: pg.PoolClient) => insertMissingRoutes(tx, routes),
    async (tx: pg.PoolClient) => assert.equal((await findRoutes(tx, routes)).length, EACH),
  ];
  for (const work of works) assert.equal((await countTasks('dlr_route', work)).length, 1);
});

test('messages on one other node and control tables are committed in two phases', { skip }, async () => {
  let prepared = 0;
  const change = async (tx: pg.PoolClient, writes: readonly Fragment[]): Promise<void> => {
    await logCommands(tx);
    tx.on('notice', ({ message }) => {
      if (message?.startsWith('issuing PREPARE TRANSACTION')) prepared++;
    });
    for (const write of writes) await run(tx, write);
  };
  const control = sql`insert into kept_since (table_name, at) values ('ledger', now())`;
  const data = sql`update message set superseded = true
    where customer_id = ${customers[0]} and message_id = ${String(idOf(0, 0))}::bigint`;
  await withTransaction(db!.pool, (tx) => change(tx, [control, data]));
  assert.equal(prepared, 1);
});
