import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { TaskStatus } from '@pahatid/contract/enums';
import { one, sql, uuidV7 } from '@pahatid/db';
import { buildApplication, buildCustomer } from '@pahatid/db/builders';
import { testDatabase, until } from '@pahatid/testkit';
import { makeTaskWorld, type TaskWorld } from '../../http/testing/task-world.ts';
import { CallAcceptor } from '../../sending/accept/accept-calls.ts';
import type { TaskJobContext } from '../../sending/job-context.ts';
import { prepareNextTask } from './prepare-next-task.ts';

const { pool } = await testDatabase();
let world: TaskWorld;
let jobs: TaskJobContext;
const total = 3_500;

before(async () => {
  const customerId = await buildCustomer(pool);
  world = await makeTaskWorld(pool, customerId, await buildApplication(pool, { customerId }));
  jobs = await world.jobs();
});

/** A limit that is never reached. */
const addLimit = async (smsType: number | null) => {
  const thresholdId = uuidV7();
  await pool.query(
    `insert into threshold (threshold_id, customer_id, kind, sms_type, period, unit, limit_at) values ($1, $2, 'volume', $3, 'day', 'messages', 1000000)`,
    [thresholdId, world.customerId, smsType],
  );
  return () => pool.query('delete from threshold where threshold_id = $1', [thresholdId]);
};
const addTask = async () =>
  world.addTask({ taskStatus: TaskStatus.Preparing, fileId: await world.addFile(total), totalCount: total });
const countOf = async (taskId: string) =>
  (await one<{ n: number }>(pool, sql`select count(distinct msisdn)::int as n from message where task_id = ${taskId}`))
    .n;
const isPrepared = async (taskId: string) =>
  (await one<{ prepared: boolean }>(pool, sql`select prepared from task where task_id = ${taskId}`)).prepared;
const lockFunds = async (t: TestContext) => {
  const blocker = await pool.connect();
  let isOver = false;
  const letGo = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await blocker.query('rollback');
    blocker.release();
  };
  t.after(letGo);
  await blocker.query('begin');
  await blocker.query('select 1 from customer where customer_id = $1 for no key update', [world.customerId]);
  return letGo;
};
const untilWaiting = (count: number) =>
  until(
    async () =>
      (
        await pool.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
      ).rowCount === count,
  );

test('a code of a customer with limits waits for one block of its task, not for the preparation', async (t) => {
  const forget = await addLimit(null);
  const { ids, routing } = await jobs.accept();
  const acceptor = new CallAcceptor({
    control: pool,
    accept: async () => ({ ids, routing }),
    notifySenders: () => {},
  });
  const taskId = await addTask();
  const letGo = await lockFunds(t);
  const step = prepareNextTask(jobs);
  await untilWaiting(1);
  const code = acceptor.accept({
    appId: world.appId,
    customerId: world.customerId,
    key: null,
    messages: [
      {
        smsType: 1,
        templateId: null,
        clientSid: world.senderId,
        msisdn: '639170000001',
        areaCode: 'PH',
        content: 'Your code is 123456.',
        pkgTotal: 1,
      },
    ],
    answer: (results) => ({ status: 202, response: results[0] }),
  });
  await untilWaiting(2);
  await letGo();
  assert.equal(await step, true);
  assert.equal((await code).kind, 'answered');
  assert.equal(await countOf(taskId), 1_000);
  assert.equal(await isPrepared(taskId), false);
  while (!(await isPrepared(taskId))) await prepareNextTask(jobs);
  assert.equal(await countOf(taskId), total);
  const { n } = await one<{ n: number }>(pool, sql`select count(*)::int as n from message where task_id = ${taskId}`);
  assert.equal(n, total);
  await forget();
});

test('a limit on other messages holds up no preparation, and does not make its pieces smaller', async (t) => {
  const forget = await addLimit(1);
  const taskId = await addTask();
  const letGo = await lockFunds(t);
  assert.equal(await prepareNextTask(jobs), true);
  assert.equal(await countOf(taskId), total);
  await letGo();
  await forget();
});
