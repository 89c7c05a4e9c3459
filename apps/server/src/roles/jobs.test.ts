import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { ClientStatus, TaskStatus } from '@pahatid/contract/enums';
import { makePool } from '@pahatid/db';
import { buildSender, buildTemplate } from '@pahatid/db/builders';
import { DealResult } from '@pahatid/domain';
import { until } from '@pahatid/testkit';
import { pino } from 'pino';
import { parseNextFile } from '../features/files/parse-next-file.ts';
import { registerFiles } from '../features/files/routes.ts';
import { showQuietHours } from '../features/quiet-hours/show-quiet-hours.ts';
import { checkNextTask } from '../features/tasks/check-next-task.ts';
import { endStoppedMessages } from '../features/tasks/end-stopped-messages.ts';
import { finishTasks } from '../features/tasks/finish-tasks.ts';
import { prepareNextTask } from '../features/tasks/prepare-next-task.ts';
import { registerTasks } from '../features/tasks/routes.ts';
import { startDueTasks, stopDisabledTasks } from '../features/tasks/start-due-tasks.ts';
import { makeTaskWorld, msisdnAt, putInDoubt, sendAll, type TaskWorld } from '../http/testing/task-world.ts';
import { makeTestApi } from '../http/testing/test-api.ts';
import { readConfig } from '../process/config.ts';
import { aloneMachine } from '../process/machine.ts';
import { settleRows } from '../sending/settle/settle.ts';
import { withTally } from '../sending/settle/with-tally.ts';
import { makePartitions } from './housekeeping.ts';
import { runJobs } from './jobs.ts';

const api = await makeTestApi({ features: [registerTasks, registerFiles] });
const { pool } = api.db;
const world: TaskWorld = await makeTaskWorld(pool, api.customerId, api.appId);
const { customerId, appId } = world;
const jobs = await world.jobs();
await api.app.listen({ port: 0, host: '127.0.0.1' });

/** Over a real socket, as a browser does. */
const upload = async (fileName: string, content: string): Promise<string> => {
  const form = new FormData();
  form.append('file', new Blob([content]), fileName);
  const { port } = api.app.server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/files`, {
    method: 'POST',
    headers: { cookie: api.users.owner.cookie },
    body: form,
  });
  assert.equal(response.status, 202);
  return ((await response.json()) as { fileId: string }).fileId;
};

const taskOf = async (taskId: string) => {
  const { rows } = await pool.query('select * from task where task_id = $1', [taskId]);
  return rows[0];
};
const detailOf = async (taskId: string) => (await api.ask('owner', `GET /tasks/${taskId}`)).body;
const messagesOf = async (taskId: string) => {
  const { rows } = await pool.query(
    `select message_id::text, msisdn, content, send_status, client_status, deal_result, superseded, retry_of::text, pkg_total, price
     from message where task_id = $1 order by message_id`,
    [taskId],
  );
  return rows;
};
const heldOf = async (taskId: string): Promise<number> => (await detailOf(taskId)).reservedCost;
const prepareAll = async (more = {}): Promise<void> => {
  while (await prepareNextTask(jobs, { maxBatchesAhead: 10_000, ...more }));
};
const create = async (more: object) => {
  const body = {
    taskName: 'A task',
    appId,
    smsType: 2,
    templateId: world.templateId,
    senderId: world.senderId,
    ...more,
  };
  const answer = await api.ask('owner', 'POST /tasks', { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.taskId;
};
const confirmed = async (more: object, body: object = {}): Promise<string> => {
  const taskId = await create(more);
  assert.equal(await checkNextTask(jobs), true);
  const answer = await api.ask('owner', `POST /tasks/${taskId}/confirm`, { body });
  assert.equal(answer.status, 200, answer.text);
  return taskId;
};

test('a task being checked shows rows read and total rows, a waiting one that it waits', async () => {
  const fileId = await world.addFile(12_000, (i) => ({ msisdn: msisdnAt(i), values: ['Ana', String(i)] }));
  const taskId = await create({ fileId });
  assert.deepEqual((await detailOf(taskId)).check, {
    rowsRead: 0,
    totalRows: null,
    remainingSeconds: null,
    isWaiting: true,
  });
  // Values that a reader of the row sees while the check runs.
  await pool.query(`create table check_seen (check_read int, check_total int, has_begun boolean);
    create function note_check() returns trigger language plpgsql as $$ begin
      insert into check_seen values (new.check_read, new.check_total, new.check_started_at is not null); return new; end $$;
    create trigger note_check after update on task for each row when (new.task_status = 0) execute function note_check()`);
  assert.equal(await checkNextTask(jobs), true);
  const { rows } = await pool.query('select * from check_seen where check_total is not null order by check_read');
  await pool.query('drop trigger note_check on task; drop function note_check; drop table check_seen');
  assert.deepEqual(
    rows.map((row) => [row.check_read, row.check_total, row.has_begun]),
    [
      [5_000, 12_000, true],
      [10_000, 12_000, true],
      [12_000, 12_000, true],
    ],
  );
  assert.equal((await detailOf(taskId)).check, null);
  await pool.query(
    `update task set task_status = 0, check_read = 4000, check_started_at = clock_timestamp() - interval '20 s',
    lease_until = clock_timestamp() + interval '1 hour' where task_id = $1`,
    [taskId],
  );
  const { check } = await detailOf(taskId);
  assert.deepEqual([check.rowsRead, check.totalRows, check.isWaiting], [4_000, 12_000, false]);
  assert.ok(check.remainingSeconds >= 40, 'twice as many rows take twice as long');
  await pool.query('update task set task_status = 7 where task_id = $1', [taskId]);
});

test('the check freezes text, prices and file, drops rows that the template rejects, and returns the cost', async () => {
  await pool.query(`insert into price (price_id, carrier, price) values (gen_random_uuid(), 'Smart', 5000)`);
  const values = [
    ['Ana', '1'],
    ['', '2'],
    ['bit.ly/x', '3'],
    ['Ben', '4'],
    ['Cy', 'x'.repeat(200)],
  ];
  const fileId = await world.addFile(5, (i) => ({ msisdn: msisdnAt(i), values: values[i] ?? [] }));
  const taskId = await create({ fileId });
  const context = await world.jobs();
  assert.equal(await checkNextTask(context), true);
  assert.equal(await checkNextTask(context), false);
  const detail = await detailOf(taskId);
  assert.deepEqual(
    [detail.taskStatus, detail.totalCount, detail.droppedCount, detail.estimatedSegments, detail.estimatedCost],
    // Rows 0 and 3 are Globe at 3,500, row 4 is Smart at 5,000 with two segments.
    [2, 3, 2, 4, 3_500 + 3_500 + 2 * 5_000],
  );
  assert.equal(detail.price, null);
  assert.equal(detail.content, 'Hello {1}, your order {2} is ready.');
  const rejects = await api.ask('owner', `GET /tasks/${taskId}/rejects`);
  assert.match(rejects.text, /3,639180000001,MISSING_VALUE,A variable has no value \{1\}/);
  assert.match(rejects.text, /4,639910000002: bit\.ly\/x,VALUE_IS_LINK,/);
  await pool.query(`delete from price where carrier = 'Smart'`);
});

test('the price shown before confirming is charged, whatever the current price list', async () => {
  const fileId = await world.addFile(4);
  const taskId = await create({ fileId });
  assert.equal(await checkNextTask(await world.jobs()), true);
  const { estimatedCost } = await detailOf(taskId);
  await pool.query(`update price set price = price + 5000`);
  assert.equal((await api.ask('owner', `POST /tasks/${taskId}/confirm`)).status, 200);
  const later = await world.jobs();
  await startDueTasks(later);
  while (await prepareNextTask(later, { maxBatchesAhead: 10_000 }));
  const messages = await messagesOf(taskId);
  assert.equal(messages.length, 4);
  assert.equal(
    messages.reduce((sum, { pkg_total: segments, price }) => sum + segments * price, 0),
    estimatedCost,
  );
  await pool.query(`update price set price = price - 5000`);
  await pool.query(`update task set task_status = 9, prepared = true where task_id = $1`, [taskId]);
});

test('a refused value is shown in whole characters, wherever it is cut', async () => {
  // The 64th UTF-16 unit of the shown text is the first half of the emoji.
  const value = `${'a'.repeat(63 - '639170000000: '.length)}\u{1F600} bit.ly/x`;
  const fileId = await world.addFile(2, (i) => ({
    msisdn: msisdnAt(i),
    values: i === 0 ? [value, '1'] : ['Ana', '2'],
  }));
  const taskId = await create({ fileId });
  assert.equal(await checkNextTask(jobs), true);
  const detail = await detailOf(taskId);
  assert.deepEqual([detail.taskStatus, detail.totalCount, detail.droppedCount], [TaskStatus.ValidationPassed, 1, 1]);
  assert.match((await api.ask('owner', `GET /tasks/${taskId}/rejects`)).text, /639170000000: a+,VALUE_IS_LINK/);
});

test('a task whose check fails by an internal error does not block others', async () => {
  const [broken, whole] = [await world.addFile(1), await world.addFile(1)];
  await pool.query(`update file_block set bytes = 'broken' where file_id = $1`, [broken]);
  const [first, second] = [await create({ fileId: broken }), await create({ fileId: whole })];
  await assert.rejects(checkNextTask(jobs));
  assert.equal(await checkNextTask(jobs), true);
  assert.equal((await taskOf(second)).task_status, TaskStatus.ValidationPassed);
  await pool.query('delete from task where task_id = $1', [first]);
});

test('a task with parts that can no longer be sent fails its check with the reason', async () => {
  const fileId = await world.addFile(2);
  const templateId = await buildTemplate(pool, { customerId, appId });
  await buildSender(pool, { customerId, appId, senderId: 'ONCEGOOD' });
  const failWith = async (text: string, key: string): Promise<string> => {
    const taskId = await create({ fileId, templateId, senderId: 'ONCEGOOD' });
    await pool.query(text, [key]);
    assert.equal(await checkNextTask(jobs), true);
    const detail = await detailOf(taskId);
    assert.equal(detail.taskStatus, TaskStatus.Failed);
    assert.equal((await api.ask('owner', `PATCH /tasks/${taskId}`, { body: {} })).body.taskStatus, TaskStatus.Draft);
    return detail.statusReason;
  };
  assert.equal(
    await failWith(`update sender set use_state = 0 where sender_id = 'ONCEGOOD' and customer_id = $1`, customerId),
    'SENDER_NOT_SENDABLE',
  );
  await pool.query(`update sender set use_state = 1`);
  assert.equal(
    await failWith('update template set serving_version = null where template_id = $1', templateId),
    'TEMPLATE_NOT_SENDABLE',
  );
  await pool.query('update template set serving_version = 1 where template_id = $1', [templateId]);
  assert.equal(await failWith('update application set use_state = 0 where app_id = $1', appId), 'APP_DISABLED');
  await pool.query('update application set use_state = 1');
  const bad = await world.addFile(2, (i) => ({ msisdn: msisdnAt(i), values: ['', ''] }));
  const taskId = await create({ fileId: bad });
  assert.equal(await checkNextTask(jobs), true);
  assert.equal((await detailOf(taskId)).statusReason, 'NO_RECIPIENTS');
  await pool.query('update route set use_state = 0');
  const lost = await create({ fileId });
  assert.equal(await checkNextTask(await world.jobs()), true);
  assert.equal((await detailOf(lost)).statusReason, 'NO_ROUTE');
  await pool.query('update route set use_state = 1');
});

test('a check that died is done again by another process when its lease has passed', async () => {
  const { claimCheck } = await import('@pahatid/db/queries/task-checking');
  const { withTransaction } = await import('@pahatid/db');
  const taskId = await create({ fileId: await world.addFile(2) });
  const dead = await withTransaction(pool, (tx) => claimCheck(tx, { owner: jobs.owner, leaseMs: 25_000, offsetMs: 0 }));
  assert.equal(dead?.taskId, taskId);
  assert.equal(await checkNextTask(await world.jobs()), false);
  assert.equal(await checkNextTask(await world.jobs({ offsetMs: 26_000 })), true);
  assert.equal((await taskOf(taskId)).task_status, 2);
});

test('a task confirmed with a grace starts when that is over, not before', async () => {
  const taskId = await confirmed({ fileId: await world.addFile(3) }, { graceSeconds: 30 });
  assert.equal(await startDueTasks(jobs), false);
  assert.equal(await startDueTasks({ ...jobs, offsetMs: 31_000 }), true);
  assert.equal((await taskOf(taskId)).task_status, 4);
  await prepareAll();
});

test('a scheduled task waits for its time by the database clock; later than four hours it fails and gives the money back', async () => {
  const planTime = new Date(Date.now() + 3_600_000).toISOString();
  const fileId = await world.addFile(3);
  const [onTime, tooLate] = [
    await confirmed({ fileId, planFlag: 1, planTime }),
    await confirmed({ fileId, planFlag: 1, planTime }),
  ];
  assert.equal(await startDueTasks(jobs), false);
  assert.equal(await heldOf(tooLate), 10_500);
  await pool.query(`update task set demo_hold = true where task_id = $1`, [tooLate]);
  // The server was away at the time and came back three hours later.
  assert.equal(await startDueTasks({ ...jobs, offsetMs: 4 * 3_600_000 }), true);
  assert.equal((await taskOf(onTime)).task_status, 4);
  await pool.query(`update task set demo_hold = false where task_id = $1`, [tooLate]);
  assert.equal(await startDueTasks({ ...jobs, offsetMs: 5 * 3_600_000 + 60_000 }), true);
  const failed = await detailOf(tooLate);
  assert.deepEqual([failed.taskStatus, failed.statusReason, failed.reservedCost], [8, 'TASK_TOO_LATE', 0]);
  await prepareAll();
  await sendAll(pool, onTime, () => 'success');
  await finishTasks(jobs);
});

test('a task that cannot start by the time its author set is not sent and gives the money back', async () => {
  const fileId = await world.addFile(3);
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  const late = { latestStartTime: inMs(3_600_000) };
  const planned = { planFlag: 1, planTime: inMs(1_800_000), latestStartTime: inMs(6 * 3_600_000) };
  const [unplanned, early, inTime] = [
    await confirmed({ fileId, ...late }, { graceSeconds: 30 }),
    await confirmed({ fileId, ...planned, ...late }),
    await confirmed({ fileId, ...planned }),
  ];
  assert.equal((await detailOf(unplanned)).latestStartTime, late.latestStartTime);
  // The jobs were away until five hours later.
  assert.equal(await startDueTasks({ ...jobs, offsetMs: 5 * 3_600_000 }), true);
  for (const taskId of [unplanned, early]) {
    const failed = await detailOf(taskId);
    assert.deepEqual([failed.taskStatus, failed.statusReason, failed.reservedCost], [8, 'TASK_TOO_LATE', 0]);
  }
  assert.equal((await taskOf(inTime)).task_status, 4);
  await prepareAll();
  await sendAll(pool, inTime, () => 'success');
  await finishTasks(jobs);
});

test('a confirmed task of a disabled application or a suspended customer fails when its time comes', async () => {
  const fileId = await world.addFile(3);
  for (const [text, key, reason] of [
    ['update application set use_state = $2 where app_id = $1', appId, 'APP_DISABLED'],
    ['update customer set use_state = $2 where customer_id = $1', customerId, 'CUSTOMER_SUSPENDED'],
  ] as const) {
    const taskId = await confirmed({ fileId });
    await pool.query(text, [key, 0]);
    assert.equal(await startDueTasks(jobs), true);
    await pool.query(text, [key, 1]);
    const detail = await detailOf(taskId);
    assert.deepEqual([detail.taskStatus, detail.statusReason, detail.reservedCost], [8, reason, 0]);
  }
});

test('disabling the application stops a running task like terminate', async () => {
  const taskId = await confirmed({ fileId: await world.addFile(3) });
  await startDueTasks(jobs);
  await pool.query('update application set use_state = 0 where app_id = $1', [appId]);
  assert.equal(await stopDisabledTasks(jobs), true);
  await pool.query('update application set use_state = 1 where app_id = $1', [appId]);
  await prepareAll();
  await finishTasks(jobs);
  const detail = await detailOf(taskId);
  assert.deepEqual([detail.taskStatus, detail.statusReason, detail.failedCount], [9, 'APP_DISABLED', 3]);
});

test('a csv of 10,000 with five kinds of bad rows becomes 10,000 messages in full batches, each recipient once', async () => {
  const good = Array.from({ length: 10_000 }, (_, i) => `${msisdnAt(i)},Name ${i},A-${i},B-${i}`);
  const bad = [
    '12,Short,1,2',
    `${msisdnAt(0)},Twice,1,2`,
    '9.17123E+09,Damaged,1,2',
    '(02) 8123 4567,Fixed,1,2',
    'none,Words,1,2',
  ];
  const missing = `639179999999,,1,2`;
  const fileId = await upload('ten.csv', `phone,name,order,code\n${[...good, ...bad, missing].join('\n')}\n`);
  assert.equal(await parseNextFile(jobs), true);
  const file = (await api.ask('owner', `GET /files/${fileId}`)).body;
  assert.deepEqual([file.totalRows, file.validCount, file.duplicateCount, file.rejectedCount], [10_006, 10_001, 1, 4]);
  const templateId = await buildTemplate(pool, { customerId, appId, content: 'Hi {1}, order {2}, code {3}.' });
  const taskId = await confirmed({ fileId, templateId });
  const before = await detailOf(taskId);
  assert.deepEqual([before.totalCount, before.droppedCount, before.estimatedCost], [10_000, 1, 35_000_000]);
  await startDueTasks(jobs);
  await prepareAll();
  const messages = await messagesOf(taskId);
  const expected = Array.from({ length: 10_000 }, (_, i) => `${msisdnAt(i)} Hi Name ${i}, order A-${i}, code B-${i}.`);
  assert.deepEqual(messages.map((row) => `${row.msisdn} ${row.content}`).sort(), expected.sort());
  const { rows: batches } = await pool.query('select message_count from batch where task_id = $1', [taskId]);
  assert.ok(batches.length <= 16, `${batches.length} batches`);
  const during = await detailOf(taskId);
  assert.deepEqual([during.taskStatus, during.totalCount, during.progress], [5, 10_000, 0]);
  assert.equal(await finishTasks(jobs), false);
  assert.equal(await sendAll(pool, taskId, () => 'success'), 10_000);
  assert.equal(await finishTasks(jobs), true);
  const done = await detailOf(taskId);
  assert.deepEqual([done.taskStatus, done.successCount, done.progress, done.reservedCost], [6, 10_000, 100, 0]);
  assert.deepEqual(
    done.timeline.map((event: { action: string }) => event.action),
    ['submit', 'pass', 'confirm', 'prepare', 'send', 'complete'],
  );
});

test('preparation stays only a few batches ahead of the sender, and stops while paused', async () => {
  const taskId = await confirmed({ fileId: await world.addFile(12_000) });
  await startDueTasks(jobs);
  const step = () => prepareNextTask(jobs, { blocksAtOnce: 2, maxBatchesAhead: 6 });
  while (await step());
  const { rows } = await pool.query('select count(*)::int as n from batch where task_id = $1', [taskId]);
  assert.ok(rows[0].n >= 6 && rows[0].n <= 8, `${rows[0].n} batches ahead`);
  await sendAll(pool, taskId, () => 'success');
  await api.ask('owner', `POST /tasks/${taskId}/pause`);
  assert.equal(await step(), false);
  await api.ask('owner', `POST /tasks/${taskId}/resume`);
  assert.equal(await step(), true);
  while ((await taskOf(taskId)).task_status === 5) {
    while (await step());
    await sendAll(pool, taskId, () => 'success');
    await finishTasks(jobs);
  }
  assert.equal((await detailOf(taskId)).successCount, 12_000);
});

test('killed again and again, preparation writes each recipient exactly once', async () => {
  const taskId = await confirmed({ fileId: await world.addFile(30_000) });
  await startDueTasks(jobs);
  const program = path.join(import.meta.dirname, 'testing/prepare-program.ts');
  const nextBlock = async (): Promise<number> => (await taskOf(taskId)).next_block;
  for (let kills = 0; kills < 4; kills += 1) {
    const from = await nextBlock();
    // The clock is advanced instead of waiting for the dead process's lease to expire.
    const child = spawn(process.execPath, [program, api.db.url, String((kills + 1) * 20_000)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await until(async () => (await nextBlock()) >= from + 2 + kills, {
      everyMs: 3,
      what: 'some blocks',
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const { rows: counted } = await pool.query('select count(*)::int as n from message where task_id = $1', [taskId]);
  assert.equal(counted[0].n, (await nextBlock()) * 1_000);
  assert.ok((await nextBlock()) < 30, 'there was something left to resume');
  const later = { ...jobs, offsetMs: 200_000 };
  while (await prepareNextTask(later, { maxBatchesAhead: 10_000 }));
  const messages = await messagesOf(taskId);
  const expected = Array.from(
    { length: 30_000 },
    (_, i) => `${msisdnAt(i)} Hello Name ${i}, your order A-${i} is ready.`,
  );
  assert.deepEqual(messages.map((row) => `${row.msisdn} ${row.content}`).sort(), expected.sort());
  const task = await taskOf(taskId);
  assert.deepEqual([task.prepared, task.prepared_count, task.total_count], [true, 30_000, 30_000]);
  await sendAll(pool, taskId, () => 'success');
  await finishTasks(jobs);
});

test('several processes prepare many tasks concurrently without a repeat', async () => {
  const tasks = [];
  for (let i = 0; i < 4; i += 1) tasks.push(await confirmed({ fileId: await world.addFile(2_500) }));
  await startDueTasks(jobs);
  await Promise.all(
    Array.from({ length: 4 }, async (_, i) => {
      const other = await world.jobs({ owner: `00000000-0000-7000-8000-00000000000${i}` });
      while (await prepareNextTask(other, { blocksAtOnce: 1, maxBatchesAhead: 10_000 }));
    }),
  );
  await prepareAll();
  for (const taskId of tasks) {
    const messages = await messagesOf(taskId);
    assert.deepEqual([messages.length, new Set(messages.map((row) => row.msisdn)).size], [2_500, 2_500]);
    await sendAll(pool, taskId, () => 'success');
  }
  await finishTasks(jobs);
});

test('S59 a recipient that opted out since the check gets no marketing, and no longer counts', async () => {
  const templateId = await buildTemplate(pool, {
    customerId,
    appId,
    smsType: 3,
    content: 'Sale, {1}! Reply T to unsubscribe',
  });
  const optOut = (index: number) =>
    pool.query(`insert into opt_out values ($1, $2, 'reply', 'T', now()) on conflict do nothing`, [
      customerId,
      msisdnAt(index),
    ]);
  await optOut(1);
  const taskId = await confirmed({ fileId: await world.addFile(6), templateId, smsType: 3 });
  assert.equal((await detailOf(taskId)).totalCount, 5);
  await optOut(2);
  await startDueTasks(jobs);
  await prepareAll();
  assert.deepEqual(new Set((await messagesOf(taskId)).map((row) => row.msisdn)), new Set([0, 3, 4, 5].map(msisdnAt)));
  const task = await taskOf(taskId);
  assert.deepEqual([task.total_count, task.opted_out_count], [4, 2]);
  await sendAll(pool, taskId, () => 'success');
  await finishTasks(jobs);
  assert.equal((await taskOf(taskId)).task_status, 6);
  await pool.query('delete from opt_out');
});

test('if terminated midway, unprepared recipients become rows that were never sent and cost nothing', async () => {
  const taskId = await confirmed({ fileId: await world.addFile(3_000) });
  await startDueTasks(jobs);
  assert.equal(await prepareNextTask(jobs, { blocksAtOnce: 1 }), true);
  await sendAll(pool, taskId, () => 'success');
  assert.equal((await api.ask('owner', `POST /tasks/${taskId}/terminate`)).body.taskStatus, 9);
  await prepareAll();
  await finishTasks(jobs);
  const detail = await detailOf(taskId);
  assert.deepEqual(
    [detail.successCount, detail.failedCount, detail.totalCount, detail.progress],
    [1_000, 2_000, 3_000, 100],
  );
  assert.deepEqual([detail.reservedCost, detail.endTime === null], [0, false]);
  const ended = (await messagesOf(taskId)).filter((row) => row.deal_result === 'TERMINATED');
  assert.deepEqual([ended.length, ended[0].send_status, ended[0].client_status], [2_000, 2, ClientStatus.Blocked]);
  // Messages that were never sent can still be sent.
  assert.equal((await api.ask('owner', `POST /tasks/${taskId}/retry`)).body.taskStatus, 4);
  await prepareAll();
  await sendAll(pool, taskId, () => 'success');
  await finishTasks(jobs);
  const retried = await detailOf(taskId);
  assert.deepEqual([retried.taskStatus, retried.successCount, retried.failedCount], [6, 3_000, 0]);
});

test('terminated while its batches wait for a sender, they end unsent, and those a sender holds when it gives them back', async () => {
  const taskId = await confirmed({ fileId: await world.addFile(3_000) });
  await startDueTasks(jobs);
  await prepareAll();
  await pool.query(
    `update batch set state = 1, owner = gen_random_uuid(), lease_until = now() + interval '8 seconds'
     where batch_id = (select min(batch_id) from batch where task_id = $1)`,
    [taskId],
  );
  await api.ask('owner', `POST /tasks/${taskId}/terminate`);
  assert.equal(await endStoppedMessages(jobs), true);
  await finishTasks(jobs);
  assert.equal((await detailOf(taskId)).endTime, null);
  await pool.query(`update batch set state = 0, owner = null where task_id = $1 and state = 1`, [taskId]);
  assert.equal(await endStoppedMessages(jobs), true);
  assert.equal(await endStoppedMessages(jobs), false);
  await finishTasks(jobs);
  const detail = await detailOf(taskId);
  assert.deepEqual([detail.failedCount, detail.chargedCost, detail.reservedCost], [3_000, 0, 0]);
  assert.notEqual(detail.endTime, null);
});

test('retry repeats the failed ones alone, round by round, and counts the latest of each', async () => {
  const taskId = await confirmed({ fileId: await world.addFile(2_400) });
  await startDueTasks(jobs);
  await prepareAll();
  // Every fourth fails; of these every second fails again; those that are left then succeed.
  const indexOf = (msisdn: string): number => Number(msisdn.slice(5));
  const outcome = (msisdn: string, round: number) =>
    indexOf(msisdn) % (4 * 2 ** round) === 0 && round < 2 ? 'failed' : 'success';
  await sendAll(pool, taskId, outcome);
  await pool.query(
    `update message set deal_result = 'REFUSED_INVALID_DESTINATION' where task_id = $1 and msisdn = $2`,
    [taskId, msisdnAt(4)],
  );
  await finishTasks(jobs);
  const first = await detailOf(taskId);
  assert.deepEqual([first.taskStatus, first.successCount, first.failedCount], [6, 1_800, 600]);
  for (const [round, failed] of [
    [1, 301],
    [2, 1],
  ] as const) {
    const answer = await api.ask('owner', `POST /tasks/${taskId}/retry`);
    assert.deepEqual([answer.body.taskStatus, answer.body.retryCount], [4, round]);
    await prepareAll();
    await sendAll(pool, taskId, outcome);
    await finishTasks(jobs);
    const detail = await detailOf(taskId);
    assert.deepEqual(
      [detail.taskStatus, detail.failedCount, detail.successCount, detail.totalCount],
      [6, failed, 2_400 - failed, 2_400],
    );
  }
  const messages = await messagesOf(taskId);
  assert.equal(messages.filter((row) => !row.superseded).length, 2_400);
  assert.equal(messages.length, 2_400 + 599 + 300);
  assert.equal((await api.ask('owner', `POST /tasks/${taskId}/retry`)).body.code, 'NOTHING_TO_RETRY');
  assert.equal(await heldOf(taskId), 0);
});

test('P13 resend goes to those in doubt for longer than a receipt may take, once, and the old message ends uncharged', async () => {
  const taskId = await confirmed({ fileId: await world.addFile(30) });
  await startDueTasks(jobs);
  await prepareAll();
  await sendAll(pool, taskId, () => 'success');
  const ids = (await messagesOf(taskId)).map((row) => row.message_id);
  await putInDoubt(pool, ids.slice(0, 5), 73);
  await putInDoubt(pool, ids.slice(5, 7), 71);
  await finishTasks(jobs);
  const first = await detailOf(taskId);
  assert.deepEqual(
    [first.taskStatus, first.successCount, first.unconfirmedCount, first.resendableCount],
    [6, 23, 7, 5],
  );
  assert.equal((await api.ask('owner', `POST /tasks/${taskId}/retry`)).body.code, 'NOTHING_TO_RETRY');

  const asked = await Promise.all([1, 2, 3].map(() => api.ask('owner', `POST /tasks/${taskId}/resend`)));
  assert.deepEqual(asked.map(({ status }) => status).sort(), [200, 409, 409]);
  // One of them gets a status before its turn.
  await pool.query(`update message set send_status = 3, client_status = 2 where message_id = $1`, [ids[4]]);
  await pool.query(`update in_doubt set resolved_at = now(), resolution = 'receipt' where message_id = $1`, [ids[4]]);
  await pool.query(
    `update task_progress set unconfirmed_count = unconfirmed_count - 1, success_count = success_count + 1,
       delivered_count = delivered_count + 1 where task_id = $1 and writer = 9`,
    [taskId],
  );
  assert.equal(await heldOf(taskId), 5 * 3_500);
  await prepareAll();
  await sendAll(pool, taskId, () => 'success');
  await finishTasks(jobs);
  const second = await detailOf(taskId);
  assert.deepEqual(
    [second.taskStatus, second.successCount, second.failedCount, second.unconfirmedCount, second.resendableCount],
    [6, 28, 0, 2, 0],
  );
  const messages = await messagesOf(taskId);
  const given = messages.filter((row) => row.superseded);
  assert.deepEqual(
    given.map((row) => [row.message_id, row.send_status, row.deal_result]),
    ids.slice(0, 4).map((id) => [id, 2, 'UNCONFIRMED']),
  );
  assert.deepEqual(
    messages.flatMap((row) => (row.retry_of === null ? [] : [row.retry_of])),
    ids.slice(0, 4),
  );
  const { rows: doubts } = await pool.query(
    `select message_id::text as id, resolution from in_doubt where task_id = $1 order by message_id`,
    [taskId],
  );
  assert.deepEqual(
    doubts.map(({ resolution }) => resolution),
    ['resent', 'resent', 'resent', 'resent', 'receipt', null, null],
  );
  assert.equal(await heldOf(taskId), 0);
  assert.equal((await api.ask('owner', `POST /tasks/${taskId}/resend`)).body.code, 'NOTHING_TO_RETRY');
  assert.equal(second.timeline.filter((entry: { action: string }) => entry.action === 'resend').length, 1);

  // The two that are in doubt for 71 hours are due at an account with a shorter deadline.
  const setHours = (hours: number) =>
    pool.query(`update supplier set profile = profile || jsonb_build_object('receiptHours', $1::int)`, [hours]);
  await setHours(70);
  assert.equal((await detailOf(taskId)).resendableCount, 2);
  await setHours(72);
  assert.equal((await detailOf(taskId)).resendableCount, 0);

  // A receipt that comes after all that moves nothing.
  await withTally(pool, async (tx, tally) => {
    const receipt = {
      clientStatus: ClientStatus.Delivered,
      final: true,
      dealResult: DealResult.Delivered,
      carrierCode: null,
    };
    const now = { reportMs: Date.now(), receivedMs: Date.now() };
    const event = { kind: 'receipt', customerId, messageId: BigInt(ids[0] ?? 0), part: 1 } as const;
    await settleRows(tx, tally, [{ ...event, receipt: { ...receipt, ...now } }]);
    await tally.write(tx, jobs.writer.writer, new Date());
  });
  assert.deepEqual((await messagesOf(taskId)).find((row) => row.message_id === ids[0])?.send_status, 2);
  assert.equal((await detailOf(taskId)).deliveredCount, second.deliveredCount);
});

test('a retry that is terminated leaves the others failed as they are', async () => {
  const taskId = await confirmed({ fileId: await world.addFile(10) });
  await startDueTasks(jobs);
  await prepareAll();
  await sendAll(pool, taskId, () => 'failed');
  await finishTasks(jobs);
  await api.ask('owner', `POST /tasks/${taskId}/retry`);
  await api.ask('owner', `POST /tasks/${taskId}/terminate`);
  await prepareAll();
  await finishTasks(jobs);
  const detail = await detailOf(taskId);
  assert.deepEqual(
    [detail.taskStatus, detail.failedCount, detail.reservedCost, detail.endTime === null],
    [9, 10, 0, false],
  );
  assert.equal((await messagesOf(taskId)).length, 10);
});

test('a task that loses its route fails before its first message, and waits after it', async () => {
  const [fresh, running] = [
    await confirmed({ fileId: await world.addFile(10) }),
    await confirmed({ fileId: await world.addFile(3_000) }),
  ];
  await pool.query(`update task set demo_hold = true where task_id = $1`, [fresh]);
  await startDueTasks(jobs);
  assert.equal(await prepareNextTask(jobs, { blocksAtOnce: 1 }), true);
  await pool.query(`update task set demo_hold = false where task_id = $1`, [fresh]);
  await startDueTasks(jobs);
  await pool.query('update route set use_state = 0');
  const blind = await world.jobs({ owner: '00000000-0000-7000-8000-0000000000aa' });
  while (await prepareNextTask(blind, { blocksAtOnce: 1 }));
  const [failed, waiting] = [await detailOf(fresh), await detailOf(running)];
  assert.deepEqual([failed.taskStatus, failed.statusReason, failed.reservedCost], [8, 'NO_ROUTE', 0]);
  assert.deepEqual([waiting.taskStatus, waiting.statusReason], [5, 'NO_ROUTE']);
  await pool.query('update route set use_state = 1');
  const seeing = await world.jobs({ offsetMs: 20_000 });
  while (await prepareNextTask(seeing, { maxBatchesAhead: 100 }));
  assert.equal((await detailOf(running)).statusReason, null);
  await sendAll(pool, running, () => 'success');
  await finishTasks(jobs);
});

test('what the demo holds is left alone', async () => {
  const held = [
    await world.addTask({ taskStatus: 0, demoHold: true }),
    await world.addTask({ taskStatus: 3, demoHold: true }),
    await world.addTask({ taskStatus: 4, demoHold: true }),
  ];
  assert.equal(await checkNextTask(jobs), false);
  assert.equal(await startDueTasks(jobs), false);
  assert.equal(await prepareNextTask(jobs), false);
  assert.deepEqual(await Promise.all(held.map(async (taskId) => (await taskOf(taskId)).task_status)), [0, 3, 4]);
});

test('at night marketing tasks show why they wait and until when, and no longer in the morning', async () => {
  const taskId = await world.addTask({ taskStatus: 5, smsType: 3 });
  const other = await world.addTask({ taskStatus: 5, smsType: 2 });
  const nowMs = Date.now();
  const manilaHour = (hour: number): number => {
    const midnight = Math.floor((nowMs + 8 * 3_600_000) / 86_400_000) * 86_400_000 - 8 * 3_600_000;
    return midnight + hour * 3_600_000 - nowMs;
  };
  await showQuietHours({ ...jobs, offsetMs: manilaHour(22) });
  assert.equal((await detailOf(taskId)).statusReason, 'QUIET_HOURS');
  assert.equal((await detailOf(other)).statusReason, null);
  const { timeline } = await detailOf(taskId);
  const event = timeline.find(({ action }: { action: string }) => action === 'quietHours');
  assert.deepEqual([event.action, event.note.slice(11)], ['quietHours', '23:00:00.000Z']);
  await showQuietHours({ ...jobs, offsetMs: manilaHour(31.5) });
  assert.equal((await detailOf(taskId)).statusReason, null);
  // A longer night of the customer's own.
  await pool.query('update customer set quiet_from = 20, quiet_to = 9 where customer_id = $1', [customerId]);
  await showQuietHours({ ...jobs, offsetMs: manilaHour(20) });
  const held = await detailOf(taskId);
  assert.deepEqual([held.statusReason, held.quietHours], ['QUIET_HOURS', { from: 20, to: 9 }]);
  const nights = held.timeline.filter(({ action }: { action: string }) => action === 'quietHours');
  const ends = nights.map(({ note }: { note: string }) => note.slice(11)).sort();
  assert.deepEqual(ends, ['01:00:00.000Z', '23:00:00.000Z']);
  await showQuietHours({ ...jobs, offsetMs: manilaHour(32.5) });
  assert.equal((await detailOf(taskId)).statusReason, 'QUIET_HOURS');
  await showQuietHours({ ...jobs, offsetMs: manilaHour(33) });
  assert.equal((await detailOf(taskId)).statusReason, null);
  await pool.query('update customer set quiet_hours_exempt = true where customer_id = $1', [customerId]);
  assert.equal((await detailOf(taskId)).quietHours, null);
  const legal = 'quiet_from = 21, quiet_to = 7, quiet_hours_exempt = false';
  await pool.query(`update customer set ${legal} where customer_id = $1`, [customerId]);
});

test('partitions of the coming weeks are there before they are needed', async () => {
  await makePartitions(jobs);
  await makePartitions(jobs);
  const { rows } = await pool.query(
    `select (select count(*) from partition_bounds(t) where low <= id_floor(at) and id_floor(at) < high)::int as n
     from unnest('{message,dlr_route}'::regclass[]) t, generate_series(now(), now() + interval '28 days', interval '1 day') at`,
  );
  assert.deepEqual(new Set(rows.map(({ n }) => n)), new Set([1]));
});

test('the role takes a task from upload to sending automatically, and stops with nothing left open', async () => {
  await pool.query(`update task set demo_hold = true where task_status in (0, 3, 4, 5)`);
  const leases = async (): Promise<number> =>
    (await pool.query('select 1 from writer_lease where owner is not null')).rows.length;
  const held = await leases();
  // As in a separate process: all jobs at a time would leave the API no connection of the pool.
  const ofJobs = makePool({ url: api.db.url, applicationName: 'pahatid test jobs', max: 10 });
  const role = await runJobs({
    role: 'jobs',
    isFirst: true,
    config: readConfig({}),
    log: pino({ level: 'silent' }),
    pools: { control: ofJobs, data: ofJobs },
    replicas: null,
    secrets: api.deps.secrets,
    machine: aloneMachine,
    isReplaced: () => false,
    signal: new AbortController().signal,
  });
  // Loops that are not stopped would keep the process.
  try {
    const fileId = await upload('a.csv', 'phone,n,o\n09171234567,Ana,1\n');
    const isRead = async () => (await api.ask('owner', `GET /files/${fileId}`)).body.fileStatus === 'success';
    await until(isRead, { what: 'the file' });
    const taskId = await create({ fileId });
    await until(async () => (await taskOf(taskId)).task_status === 2, { what: 'the check' });
    await api.ask('owner', `POST /tasks/${taskId}/confirm`);
    await until(async () => (await taskOf(taskId)).prepared, { what: 'the batches' });
    await sendAll(pool, taskId, () => 'success');
    await until(async () => (await taskOf(taskId)).task_status === 6, { what: 'the end' });
  } finally {
    await role.stop();
    await ofJobs.end();
  }
  assert.equal(await leases(), held);
});
