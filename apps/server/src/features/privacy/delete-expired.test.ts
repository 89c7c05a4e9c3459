import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientStatus, TaskStatus } from '@pahatid/contract/enums';
import { buildBatch, buildFile } from '@pahatid/db/builders';
import { encodeBlock } from '../../files/blocks.ts';
import { makeTaskWorld } from '../../http/testing/task-world.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { assertAgrees } from '../../verify/testing/agrees.ts';
import { registerFiles } from '../files/routes.ts';
import { registerRecords } from '../records/routes.ts';
import { registerTasks } from '../tasks/routes.ts';
import { deleteExpired } from './delete-expired.ts';
import { registerPrivacy } from './routes.ts';

const api = await makeTestApi({ features: [registerPrivacy, registerRecords, registerFiles, registerTasks] });
const { customerId, otherCustomerId } = api;
const { pool } = api.db;
const world = await makeTaskWorld(pool, customerId, api.appId);
const context = await world.jobs();
const dayMs = 86_400_000;

const rowsOf = async <T = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await pool.query(text, values)).rows as T[];
const countOf = async (of = customerId): Promise<number> =>
  (await rowsOf<{ n: number }>('select count(*)::int as n from message where customer_id = $1', [of]))[0]?.n ?? -1;
let writer = 0;
const addBatch = async (
  of: { customerId: string; appId: string; taskId?: string },
  daysAgo: number,
  count: number,
  more = {},
) => {
  writer += 1;
  const client = await pool.connect();
  try {
    return await buildBatch(client, {
      ...of,
      smsType: 2,
      clientSid: 'SHOP',
      supplierId: world.carriers.suppliers.Globe,
      routeId: world.carriers.routes.Globe,
      at: new Date(Date.now() - daysAgo * dayMs),
      writer,
      messages: Array.from({ length: count }, (_, index) => ({
        msisdn: `6391700${String(writer * 1000 + index).padStart(5, '0')}`,
        content: 'Hello',
        carrier: 'Globe',
        clientStatus: ClientStatus.Delivered,
        receiptAfterMs: 900,
        ...more,
      })),
    });
  } finally {
    client.release();
  }
};
const mine = { customerId, appId: api.appId };
const theirs = { customerId: otherCustomerId, appId: api.otherAppId };
/** Steps until no customer is due at that moment; returns the deletions, step by step. */
const runAll = async (offsetMs = 0, rows = 4) => {
  const steps: { customerId: string; messages: number }[] = [];
  for (let step = await deleteExpired({ ...context, offsetMs }, { rows }); ; ) {
    step = await deleteExpired({ ...context, offsetMs }, { rows });
    if (step === null) return steps;
    if (step.messages > 0) steps.push({ customerId: step.customerId, messages: step.messages });
    await assertAgrees(pool);
  }
};

test('S58 records go when their days are over, a bounded number at a time, and what is counted agrees at every step', async () => {
  const taskId = await world.addTask({ taskStatus: TaskStatus.Completed, totalCount: 3 });
  await addBatch({ ...mine, taskId }, 190, 3);
  await addBatch(mine, 185, 9);
  await addBatch(mine, 170, 5);
  await addBatch(mine, 1, 2);
  await addBatch(theirs, 190, 3);
  const figures = `select customer_id, sum(req_total)::int as t, sum(segments)::int as s from report_minute group by 1 order by 1`;
  const money = `select sum(amount)::text as a from ledger`;
  const before = [await rowsOf(figures), await rowsOf(money)];
  const steps = await runAll();
  assert.ok(steps.length >= 4 && steps.every(({ messages }) => messages <= 4), JSON.stringify(steps));
  assert.deepEqual([await countOf(), await countOf(otherCustomerId)], [7, 0]);
  assert.deepEqual([await rowsOf(figures), await rowsOf(money)], before, 'aggregates stay');
  const detail = (await api.ask('owner', `GET /tasks/${taskId}`)).body;
  assert.deepEqual([detail.successCount, detail.deliveredCount], [3, 3]);
  const list = await api.ask('owner', `GET /tasks/${taskId}/details`);
  assert.deepEqual([list.status, list.body.items], [200, []]);
  const horizon = (await api.ask('owner', `GET /privacy/${customerId}`)).body.recordsBefore;
  assert.equal(Math.floor((Date.now() - Date.parse(horizon)) / dayMs), 180);
});

test('a clock that moves on brings the next days; a shorter time takes effect at the next look', async () => {
  await runAll(11 * dayMs);
  assert.equal(await countOf(), 2);
  await addBatch(mine, 20, 4);
  await addBatch(mine, 35, 4);
  await api.ask('owner', `PUT /privacy/${customerId}`, { body: { recordDays: 30, uploadDays: 30 } });
  await runAll();
  assert.equal(await countOf(), 6);
  await assertAgrees(pool);
});

test('what a sender may still hold is left until its batch is done', async () => {
  const batchId = await addBatch(mine, 60, 2, { clientStatus: ClientStatus.Accepted });
  const due = () => pool.query('update retention set due_at = now()');
  await due();
  await runAll();
  const left = () => rowsOf('select 1 from message where message_id >= $1 and message_id < $1 + 2', [String(batchId)]);
  assert.equal((await left()).length, 2);
  await pool.query(
    'update message set send_status = 2, client_status = 7 where message_id >= $1 and message_id < $1 + 2',
    [String(batchId)],
  );
  await pool.query('update batch set state = 2 where batch_id = $1', [String(batchId)]);
  await due();
  await runAll();
  assert.equal((await left()).length, 0);
});

test('two concurrent processes delete each row once', async () => {
  await addBatch(mine, 80, 40);
  await pool.query('update retention set due_at = now()');
  const loop = async () => {
    let sum = 0;
    for (let turn = 0; turn < 60; turn++) {
      const step = await deleteExpired(context, { rows: 3 });
      sum += step?.messages ?? 0;
    }
    return sum;
  };
  const [a, b] = await Promise.all([loop(), loop()]);
  assert.equal((a ?? 0) + (b ?? 0), 40);
  await assertAgrees(pool);
});

test('S58 uploads are emptied after their days, and not while a task still reads them', async () => {
  const createdAt = new Date(Date.now() - 40 * dayMs);
  const add = () =>
    buildFile(pool, {
      customerId,
      createdAt,
      columns: ['phone', 'name'],
      rows: [{ msisdn: '639171112222', values: ['Juan'] }],
      rejects: [[3, '0917 111 2222', 'DUPLICATE']],
      encodeBlock,
    });
  const [used, draft, done] = [await add(), await add(), await add()];
  await world.addTask({ taskStatus: TaskStatus.Confirmed, fileId: used });
  await world.addTask({ taskStatus: TaskStatus.Draft, fileId: draft });
  await world.addTask({ taskStatus: TaskStatus.Completed, fileId: done });
  await pool.query('update retention set due_at = now()');
  await runAll();
  const file = async (fileId: string) => (await api.ask('owner', `GET /files/${fileId}`)).body;
  assert.deepEqual([(await file(used)).fileStatus, (await file(used)).sample.length], ['success', 1]);
  for (const fileId of [draft, done]) {
    const { fileStatus, error, sample, columns, validCount } = await file(fileId);
    assert.deepEqual([fileStatus, error.code, sample, columns, validCount], ['fail', 'FILE_EXPIRED', [], [], 1]);
    for (const table of ['file_block', 'file_reject', 'file_chunk'])
      assert.deepEqual(await rowsOf(`select 1 from ${table} where file_id = $1`, [fileId]), [], table);
  }
  const [task] = await rowsOf<{ task_id: string }>('select task_id from task where file_id = $1', [draft]);
  const submitted = await api.ask('owner', `POST /tasks/${task?.task_id}/submit`);
  assert.deepEqual([submitted.status, submitted.body.code], [409, 'FILE_NOT_USABLE']);
  await assertAgrees(pool);
});

test('batches end ten days after their messages, and 40 days after their task; its log and counters stay, and verify agrees', async () => {
  const made: bigint[] = [];
  const left = async () =>
    (await rowsOf<{ n: number }>('select batch_id from batch where batch_id = any($1)', [made.map(String)])).length;
  // Records are kept since 30 days ago by now.
  await pool.query(`update retention set due_at = '-infinity'`);
  const ended = await world.addTask({ taskStatus: TaskStatus.Completed, totalCount: 7 });
  const young = await world.addTask({ taskStatus: TaskStatus.Completed, totalCount: 2 });
  for (const [taskId, daysAgo, count] of [
    [ended, 199, 4],
    [ended, 198, 3],
    [young, 199, 2],
  ] as const)
    made.push(await addBatch({ ...mine, taskId }, daysAgo, count));
  made.push(await addBatch(mine, 199, 5), await addBatch(mine, 35, 1));
  await pool.query(`update batch set receipts_closed = true where customer_id = $1 and state = 2`, [customerId]);
  await pool.query(
    `update task set prepared = true, ended_at = now() - case task_id when $1 then interval '39 days' else interval '41 days' end
    where task_id in ($1, $2)`,
    [young, ended],
  );
  const look = async () => ({
    log: (await api.ask('owner', `GET /tasks/${ended}/log`)).body,
    detail: (await api.ask('owner', `GET /tasks/${ended}`)).body,
  });
  const before = await look();
  assert.equal(before.log.items.length, 2);
  await pool.query(`update retention set due_at = '-infinity'`);
  await Promise.all([runAll(0, 2), runAll(0, 2)]);
  assert.equal(await left(), 2, 'that of the younger task, and that of messages which went less than ten days ago');
  assert.deepEqual(await look(), before);
  await assertAgrees(pool);
  await runAll(2 * dayMs, 2);
  assert.equal(await left(), 1);
  await assertAgrees(pool);
});
