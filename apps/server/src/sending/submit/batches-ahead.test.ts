/**
 * On Citus a batch may be visible before its messages, or their outcomes, are: the transaction is committed on the
 * coordinator, and not on the node of the messages yet (decision 183). The test makes that state and looks at it.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { leaseWriter, uuidV7 } from '@pahatid/db';
import { isOnCitus, testClusterUrl } from '@pahatid/testkit';
import { pino } from 'pino';
import { terminateTaskMessages } from '../settle/terminate-task.ts';
import { makeScene } from '../testing/make-scene.ts';
import type { Scene } from '../testing/scene.ts';
import { makeSendStore } from './send-store.ts';

const skip = (await isOnCitus(await testClusterUrl())) ? false : 'PAHATID_TEST_URL names no Citus cluster';
const COUNT = 30;

const setUp = async (t: TestContext) => {
  const scene = await makeScene(t);
  await scene.accept(scene.recipients(COUNT));
  const { pool } = scene;
  const owner = uuidV7();
  const writer = await leaseWriter(pool, owner);
  const log = pino({ level: 'silent' });
  const inbound = { log } as Parameters<typeof makeSendStore>[0]['inbound'];
  const store = makeSendStore({ pool, owner, writer, leaseMs: 60_000, inbound });
  /** Messages by batch, in order of their ids. */
  const claim = async () => {
    const { rows } = await pool.query<{ id: string }>('select supplier_id as id from supplier order by 1');
    const turns = (await store.findWaiting(rows.map(({ id }) => id))).map((each) => ({ ...each, batches: 10 }));
    const { batches } = await store.claim({ turns, messages: 10_000, except: [] });
    return batches;
  };
  return { scene, claim };
};

/** Takes the rows of messages away, as if they were prepared and not committed; returns what brings them. */
const hideMessages = async ({ pool }: Scene): Promise<() => Promise<void>> => {
  await pool.query('create table hidden as select * from message');
  await pool.query('delete from message');
  return async () => {
    await pool.query('insert into message select * from hidden');
    await pool.query('drop table hidden');
  };
};

const countStates = async ({ pool }: Scene): Promise<number[]> =>
  (await pool.query<{ state: number }>('select distinct state from batch order by 1')).rows.map(({ state }) => state);

test('a batch is claimed once its messages are visible, and then all of it', { skip }, async (t) => {
  const { scene, claim } = await setUp(t);
  const show = await hideMessages(scene);
  assert.deepEqual(await claim(), []);
  assert.deepEqual(await countStates(scene), [0], 'they are ready as before');
  await show();
  assert.equal(
    (await claim()).reduce((sum, { messages }) => sum + messages.length, 0),
    COUNT,
  );
});

test('messages whose outcomes are not visible yet are not sent again', { skip }, async (t) => {
  const { scene, claim } = await setUp(t);
  await scene.pool.query('update batch set intent_mark = 2, success_count = 2');
  assert.deepEqual(await claim(), []);
  const { rows } = await scene.pool.query<{ id: string }>('select batch_id::text as id from batch');
  for (const { id } of rows)
    await scene.pool.query(
      `update message set send_status = 3, client_status = 1
       where customer_id = $1 and message_id >= $2::bigint and message_id < $2::bigint + 2`,
      [scene.customerId, id],
    );
  const batches = await claim();
  assert.equal(batches.length, rows.length);
  assert.ok(batches.every(({ messages }) => messages.every(({ position }) => position >= 2)));
});

test('a task is not terminated past messages that are not visible yet', { skip }, async (t) => {
  const { scene } = await setUp(t);
  const show = await hideMessages(scene);
  const writer = await leaseWriter(scene.pool, uuidV7());
  const ending = terminateTaskMessages(scene.pool, writer, scene.taskId);
  await show();
  assert.deepEqual(await ending, { terminated: COUNT, openBatches: 0 });
});
