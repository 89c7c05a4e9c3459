import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientStatus, TaskStatus } from '@pahatid/contract';
import { chargeCustomers, getFunds, moveTasks, noTaskDelta, uuidV7, withTransaction } from '@pahatid/db';
import { buildApplication, buildSender, buildTemplate } from '@pahatid/db/builders';
import { getAvailable } from '@pahatid/db/queries/reservations';
import { fromStatuses, taskTransitions, toStatus } from '@pahatid/domain';
import { until } from '@pahatid/testkit';
import { makeTaskWorld, msisdnAt, putInDoubt, type TaskWorld } from '../../http/testing/task-world.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';
import { checkNextTask } from './check-next-task.ts';
import { transitionBySystem } from './system-transition.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const world: TaskWorld = await makeTaskWorld(pool, api.customerId, api.appId);

const statusOf = async (taskId: string): Promise<number | null> => {
  const { rows } = await pool.query<{ task_status: number }>('select task_status from task where task_id = $1', [
    taskId,
  ]);
  return rows[0]?.task_status ?? null;
};
const failed = { msisdn: '639171234567', content: 'x', carrier: 'Globe', clientStatus: ClientStatus.Rejected };
const newTask = async (status: TaskStatus, more = {}): Promise<string> => {
  const taskId = await world.addTask({ taskStatus: status, endedAt: new Date(), ...more });
  // Something to retry, and nothing else that prevents it.
  if (status === TaskStatus.Completed || status === TaskStatus.Terminated) {
    const batchId = await world.addBatch(taskId, [failed, { ...failed, clientStatus: ClientStatus.Submitted }]);
    await putInDoubt(pool, [String(batchId + 1n)], 73);
  }
  return taskId;
};
const body = () => ({
  taskName: `Task ${uuidV7()}`,
  appId: world.appId,
  smsType: 2,
  templateId: world.templateId,
  senderId: world.senderId,
});

test('of all statuses and actions, over HTTP and in code, only the transitions of the table pass', async () => {
  await pool.query(`update customer set review_policy = 'never'`);
  const decide = async (id: string, action: string, body: object) => {
    await api.ask('reviewer', `POST /reviews/tasks/${id}/claim`);
    return api.ask('reviewer', `POST /reviews/tasks/${id}/${action}`, { body });
  };
  const overHttp: Record<string, (taskId: string) => Promise<{ status: number }>> = {
    submit: (id) => api.ask('owner', `POST /tasks/${id}/submit`),
    confirm: (id) => api.ask('owner', `POST /tasks/${id}/confirm`),
    edit: (id) => api.ask('owner', `PATCH /tasks/${id}`, { body: { taskName: 'Edited' } }),
    cancel: (id) => api.ask('owner', `POST /tasks/${id}/cancel`),
    terminate: (id) => api.ask('operator', `POST /tasks/${id}/terminate`),
    retry: (id) => api.ask('owner', `POST /tasks/${id}/retry`),
    resend: (id) => api.ask('owner', `POST /tasks/${id}/resend`),
    approve: (id) => decide(id, 'approve', {}),
    reject: (id) => decide(id, 'reject', { reason: 'No.' }),
  };
  for (const { action } of taskTransitions) {
    if (action === 'requestReview') continue;
    for (const from of Object.values(TaskStatus)) {
      const taskId = await newTask(from);
      const isListed = fromStatuses(action).includes(from);
      const act: ((taskId: string) => Promise<{ status: number }>) | undefined = overHttp[action];
      if (act) {
        const { status } = await act(taskId);
        const isDraftEdit: boolean = action === 'edit' && from === TaskStatus.Draft;
        assert.equal(status < 300, isListed || isDraftEdit, `${action} from ${from}: ${status}`);
        if (!isListed && !isDraftEdit) assert.equal(status, 409, `${action} from ${from}`);
      } else {
        const { customerId } = world;
        const won: boolean = await withTransaction<boolean>(pool, (tx) =>
          transitionBySystem(tx, { taskId, customerId, action }),
        );
        assert.equal(won, isListed, `${action} from ${from}`);
      }
      assert.equal(await statusOf(taskId), isListed ? toStatus(action) : from, `${action} from ${from}`);
    }
  }
});

test('a draft alone can be deleted; pause and resume leave the status alone', async () => {
  for (const from of Object.values(TaskStatus)) {
    const taskId = await newTask(from);
    const pausable = from === TaskStatus.Preparing || from === TaskStatus.Sending;
    assert.equal((await api.ask('owner', `POST /tasks/${taskId}/resume`)).status, 409);
    const paused = await api.ask('operator', `POST /tasks/${taskId}/pause`);
    assert.equal(paused.status, pausable ? 200 : 409);
    if (pausable) {
      assert.deepEqual(
        [paused.body.paused, paused.body.taskStatus, paused.body.statusReason],
        [1, from, 'PAUSED_BY_STAFF'],
      );
      assert.equal((await api.ask('owner', `POST /tasks/${taskId}/pause`)).status, 409);
      // What staff paused, staff resume.
      assert.equal((await api.ask('owner', `POST /tasks/${taskId}/resume`)).body.code, 'TASK_HELD_BY_STAFF');
      const resumed = await api.ask('admin', `POST /tasks/${taskId}/resume`);
      assert.deepEqual([resumed.body.paused, resumed.body.statusReason], [0, null]);
      const own = await api.ask('member', `POST /tasks/${taskId}/pause`);
      assert.equal(own.body.statusReason, 'PAUSED_BY_USER');
      const taken = await api.ask('operator', `POST /tasks/${taskId}/pause`);
      assert.deepEqual([taken.status, taken.body.statusReason], [200, 'PAUSED_BY_STAFF']);
      assert.equal((await api.ask('operator', `POST /tasks/${taskId}/pause`)).status, 409);
      assert.equal((await api.ask('operator', `POST /tasks/${taskId}/resume`)).status, 200);
      await api.ask('member', `POST /tasks/${taskId}/pause`);
      assert.equal((await api.ask('owner', `POST /tasks/${taskId}/resume`)).status, 200);
    }
    const removed = await api.ask('owner', `DELETE /tasks/${taskId}`);
    assert.equal(removed.status, from === TaskStatus.Draft ? 204 : 409);
    if (removed.status === 409) assert.deepEqual(removed.body.params, { from, action: 'delete' });
    assert.equal((await statusOf(taskId)) === null, from === TaskStatus.Draft);
  }
});

test('a draft is stored half-filled; submitting it names what is missing', async () => {
  const created = await api.ask('owner', 'POST /tasks', { body: { taskName: '  Half  ', draft: true } });
  assert.deepEqual([created.status, created.body.taskStatus, created.body.taskName], [201, 1, 'Half']);
  const refused = await api.ask('owner', `POST /tasks/${created.body.taskId}/submit`);
  assert.deepEqual([refused.status, refused.body.code], [400, 'TASK_INCOMPLETE']);
  assert.deepEqual(
    refused.body.errors.map((error: { field: string }) => error.field),
    ['appId', 'smsType', 'templateId', 'fileId'],
  );
  assert.equal((await api.ask('owner', 'POST /tasks', { body: { taskName: '' } })).status, 400);
  assert.equal((await api.ask('owner', 'POST /tasks', { body: body() })).body.code, 'TASK_INCOMPLETE');
});

test('submitting judges every part, each with its own code, and creates nothing where it refuses', async () => {
  const fileId = await world.addFile(3);
  const { customerId, appId } = world;
  const disabled = await buildApplication(pool, { customerId, useState: 0 });
  const pending = await buildTemplate(pool, { customerId, appId, auditStatus: 0 });
  const marketing = await buildTemplate(pool, { customerId, appId, smsType: 3 });
  const ofDisabled = await buildTemplate(pool, { customerId, appId: disabled });
  const foreign = await buildTemplate(pool, { customerId: api.otherCustomerId, appId: api.otherAppId });
  await buildSender(pool, { customerId, appId, senderId: 'PENDING', auditStatus: 0 });
  await buildSender(pool, { customerId, appId, senderId: 'OFFLINE', useState: 0 });
  const processing = await world.addFile(3);
  await pool.query(`update file set file_status = 'processing' where file_id = $1`, [processing]);
  const empty = await world.addFile(0);
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const refusals: [object, number, string][] = [
    [{ appId: 'nobody' }, 400, 'APP_NOT_FOUND'],
    [{ appId: api.otherAppId }, 400, 'APP_NOT_FOUND'],
    [{ appId: disabled, templateId: ofDisabled }, 409, 'APP_DISABLED'],
    [{ templateId: uuidV7() }, 400, 'TEMPLATE_NOT_FOUND'],
    [{ templateId: foreign }, 400, 'TEMPLATE_NOT_FOUND'],
    [{ templateId: ofDisabled }, 400, 'TEMPLATE_NOT_FOUND'],
    [{ templateId: pending }, 409, 'TEMPLATE_NOT_SENDABLE'],
    [{ templateId: marketing }, 409, 'TEMPLATE_TYPE_MISMATCH'],
    [{ senderId: 'PENDING' }, 409, 'SENDER_NOT_SENDABLE'],
    [{ senderId: 'OFFLINE' }, 409, 'SENDER_NOT_SENDABLE'],
    [{ senderId: 'UNKNOWN' }, 409, 'SENDER_NOT_SENDABLE'],
    [{ fileId: uuidV7() }, 400, 'FILE_NOT_FOUND'],
    [{ fileId: processing }, 409, 'FILE_PROCESSING'],
    [{ fileId: empty }, 409, 'FILE_NOT_USABLE'],
    [{ mapping: { variables: [1] } }, 400, 'MAPPING_INVALID'],
    [{ mapping: { variables: [0, 1] } }, 400, 'MAPPING_INVALID'],
    [{ planFlag: 1 }, 400, 'PLAN_TIME_REQUIRED'],
    [{ planFlag: 1, planTime: new Date(Date.now() - 1_000).toISOString() }, 400, 'PLAN_TIME_PAST'],
    [{ latestStartTime: new Date(Date.now() - 1_000).toISOString() }, 409, 'TASK_TOO_LATE'],
    [{ planFlag: 1, planTime: soon, latestStartTime: soon }, 400, 'VALIDATION_FAILED'],
  ];
  const { rows: before } = await pool.query('select count(*) from task');
  for (const [change, status, code] of refusals) {
    const answer = await api.ask('owner', 'POST /tasks', { body: { ...body(), fileId, ...change } });
    assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(change));
  }
  assert.deepEqual((await pool.query('select count(*) from task')).rows, before);
  const noSender = { ...body(), senderId: '', fileId };
  const chosen = await api.ask('owner', 'POST /tasks', { body: noSender });
  assert.deepEqual([chosen.status, chosen.body.senderId, chosen.body.taskStatus], [201, world.senderId, 0]);
  assert.deepEqual(chosen.body.mapping, { variables: [1, 2] });
});

test('fifty identical requests with one key make one task; another body with the key is refused', async () => {
  const fileId = await world.addFile(3);
  const ask = { body: { ...body(), fileId }, headers: { 'idempotency-key': 'form-1' } };
  const answers = await Promise.all(Array.from({ length: 50 }, () => api.ask('owner', 'POST /tasks', ask)));
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([201]));
  assert.equal(new Set(answers.map((answer) => answer.body.taskId)).size, 1);
  const { rows } = await pool.query('select 1 from task where task_name = $1', [ask.body.taskName]);
  assert.equal(rows.length, 1);
  const reused = await api.ask('owner', 'POST /tasks', { ...ask, body: { ...ask.body, taskName: 'Another' } });
  assert.deepEqual([reused.status, reused.body.code], [422, 'IDEMPOTENCY_KEY_REUSED']);
  // A request that failed has used no key up.
  const bad = { body: { ...body(), fileId: uuidV7() }, headers: { 'idempotency-key': 'form-2' } };
  assert.equal((await api.ask('owner', 'POST /tasks', bad)).status, 400);
  const mended = { ...bad, body: { ...bad.body, fileId } };
  assert.equal((await api.ask('owner', 'POST /tasks', mended)).status, 201);
  // Keys are a customer's own.
  const theirs = { body: { taskName: 'Theirs', draft: true }, headers: { 'idempotency-key': 'form-1' } };
  assert.equal((await api.ask('other', 'POST /tasks', theirs)).status, 201);
});

test('fifty concurrent confirmations reserve the cost once', async () => {
  const taskId = await newTask(TaskStatus.ValidationPassed, { totalCount: 100 });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => api.ask('owner', `POST /tasks/${taskId}/confirm`)),
  );
  const counts = Map.groupBy(answers, (answer) => answer.status);
  assert.deepEqual([counts.get(200)?.length, counts.get(409)?.length], [1, 49]);
  assert.deepEqual(counts.get(409)?.[0]?.body.code, 'TASK_TRANSITION');
  const { rows } = await pool.query('select amount, released_at from reservation where task_id = $1', [taskId]);
  assert.deepEqual(rows, [{ amount: '350000', released_at: null }]);
  const detail = (await api.ask('owner', `GET /tasks/${taskId}`)).body;
  assert.deepEqual([detail.reservedCost, detail.taskStatus], [350_000, 3]);
  assert.equal(detail.timeline.filter((event: { taskStatus: number }) => event.taskStatus === 3).length, 1);
  assert.equal((await api.ask('owner', `POST /tasks/${taskId}/cancel`)).status, 200);
  assert.equal((await api.ask('owner', `GET /tasks/${taskId}`)).body.reservedCost, 0);
});

test('two tasks cannot both take the last peso; the response has the needed and available amounts', async () => {
  const available = await getAvailable(pool, world.customerId);
  await pool.query('update balance set amount = amount - $2 where customer_id = $1 and writer = 255', [
    world.customerId,
    available - 5_000,
  ]);
  const tasks = await Promise.all([1, 2, 3].map(() => newTask(TaskStatus.ValidationPassed, { totalCount: 1 })));
  const answers = await Promise.all(tasks.map((taskId) => api.ask('owner', `POST /tasks/${taskId}/confirm`)));
  const refused = answers.filter((answer) => answer.status === 409);
  assert.equal(refused.length, 2);
  for (const { body: problem } of refused)
    assert.deepEqual([problem.code, problem.params], ['BALANCE_TOO_LOW', { needed: 3_500, available: 1_500 }]);
  await pool.query('update balance set amount = amount + 1000000000 where customer_id = $1 and writer = 255', [
    world.customerId,
  ]);
});

/** Runs `work` while another transaction holds rows, and lets them go once a session waits for them. */
async function whileHeld(lock: string, key: string, work: () => Promise<unknown>[]): Promise<void> {
  const holder = await pool.connect();
  try {
    await holder.query('begin');
    await holder.query(lock, [key]);
    const under = work();
    await until(async () => (await waitingSessions()) > 0, { everyMs: 5, what: 'a session that waits' });
    // What does not wait for these rows has time to get past the one that does.
    await Promise.race([Promise.all(under.slice(1)), sleep(500)]);
    await holder.query('commit');
    await Promise.all(under);
  } finally {
    holder.release();
  }
}
const waitingSessions = async (): Promise<number> => {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.n ?? 0;
};

test('a task edited and checked again during confirmation is not confirmed at the old price', async () => {
  const jobs = await world.jobs();
  const [few, many] = [await world.addFile(2), await world.addFile(9)];
  const { taskId } = (await api.ask('owner', 'POST /tasks', { body: { ...body(), fileId: few } })).body;
  while (await checkNextTask(jobs));
  assert.equal(await statusOf(taskId), TaskStatus.ValidationPassed);
  await whileHeld('select 1 from customer where customer_id = $1 for no key update', world.customerId, () => [
    api.ask('owner', `POST /tasks/${taskId}/confirm`),
    until(async () => (await waitingSessions()) > 0, { everyMs: 5, what: 'the confirmation' }).then(async () => {
      await api.ask('member', `PATCH /tasks/${taskId}`, { body: { fileId: many } });
      await api.ask('member', `POST /tasks/${taskId}/submit`);
      await checkNextTask(jobs);
    }),
  ]);
  const detail = (await api.ask('owner', `GET /tasks/${taskId}`)).body;
  assert.equal(detail.totalCount, 9);
  // Either the current state is not confirmed, or all of it is reserved.
  assert.equal(detail.reservedCost, detail.taskStatus === TaskStatus.Confirmed ? 9 * 3_500 : 0);
});

test('a draft edited during submission keeps the edit', async () => {
  const named = await buildSender(pool, { customerId: world.customerId, appId: world.appId, senderId: 'SECONDONE' });
  assert.ok(named);
  const { taskId } = (
    await api.ask('owner', 'POST /tasks', { body: { ...body(), fileId: await world.addFile(2), draft: true } })
  ).body;
  const answers: { status: number }[] = [];
  const note = async (asked: Promise<{ status: number }>) => answers.push(await asked);
  // The submission has read the draft when it comes to the row of its file.
  await whileHeld(
    'select 1 from file where file_id = (select file_id from task where task_id = $1) for update',
    taskId,
    () => [
      note(api.ask('owner', `POST /tasks/${taskId}/submit`)),
      note(api.ask('member', `PATCH /tasks/${taskId}`, { body: { senderId: 'SECONDONE' } })),
    ],
  );
  const detail = (await api.ask('owner', `GET /tasks/${taskId}`)).body;
  const isEdited = answers.every(({ status }) => status === 200) || detail.taskStatus === TaskStatus.Draft;
  assert.equal(detail.senderId, isEdited ? 'SECONDONE' : world.senderId);
  await pool.query(`update task set task_status = 7 where task_id = $1`, [taskId]);
});

test('a file is not reread while its task is being submitted, nor removed while one is being created', async () => {
  const fileId = await world.addFile(2);
  await pool.query(`insert into file_chunk (file_id, seq, customer_id, bytes) values ($1, 0, $2, 'phone')`, [
    fileId,
    world.customerId,
  ]);
  const { taskId } = (await api.ask('owner', 'POST /tasks', { body: { ...body(), fileId, draft: true } })).body;
  const answers: Record<string, { status: number; body: { code?: string; taskStatus?: number } }> = {};
  await whileHeld('select 1 from task where task_id = $1 for update', taskId, () => [
    api.ask('owner', `POST /tasks/${taskId}/submit`).then((answer) => {
      answers['submit'] = answer;
    }),
    api.ask('owner', `POST /files/${fileId}/read`, { body: { hasHeader: true, phoneColumn: 1 } }).then((answer) => {
      answers['read'] = answer;
    }),
  ]);
  const [submit, read] = [answers['submit'], answers['read']];
  assert.ok(
    (submit?.status === 200 && read?.body.code === 'FILE_IN_USE') ||
      (submit?.body.code === 'FILE_PROCESSING' && read?.status === 202),
    JSON.stringify(answers),
  );
  await pool.query(`delete from task where task_id = $1`, [taskId]);

  for (let round = 0; round < 10; round += 1) {
    const loose = await world.addFile(1);
    const [made, removed] = await Promise.all([
      api.ask('owner', 'POST /tasks', { body: { taskName: 'Race', fileId: loose, draft: true } }),
      api.ask('owner', `DELETE /files/${loose}`),
    ]);
    const outcome = [made.status, made.body.code ?? '', removed.status, removed.body?.code ?? ''].join();
    assert.ok(['201,,409,FILE_IN_USE', '400,FILE_NOT_FOUND,204,'].includes(outcome), outcome);
  }
});

test('what is available never counts money twice that is charged while it is read', async () => {
  const taskId = await newTask(TaskStatus.Confirmed, { totalCount: 10 });
  const available = async (db: Parameters<typeof getFunds>[0]): Promise<number> => {
    const { balance, reserved } = await getFunds(db, world.customerId);
    return balance - reserved;
  };
  const before = await available(pool);
  const client = await pool.connect();
  try {
    // A real connection, between whose statements the sender settles a message of the task.
    let asked = 0;
    const between = Object.assign(Object.create(client), {
      query: async (...query: Parameters<typeof client.query>) => {
        asked += 1;
        if (asked === 2)
          await withTransaction(pool, async (tx) => {
            await moveTasks(
              tx,
              7,
              new Map([[taskId, { customerId: world.customerId, delta: { ...noTaskDelta(), chargedCost: 3_500 } }]]),
            );
            await chargeCustomers(
              tx,
              7,
              [
                {
                  customerId: world.customerId,
                  appId: world.appId,
                  taskId,
                  batchId: 1n,
                  smsType: 3,
                  carrier: 'Globe',
                  price: 3_500,
                  segments: 1,
                  cost: 3_500,
                },
              ],
              new Date(),
            );
          });
        return client.query(...query);
      },
    });
    assert.ok((await available(between)) <= before);
    assert.equal(await available(pool), before);
  } finally {
    client.release();
  }
});

test('policy sends a confirmed task to review; approval confirms it, rejection gives the money back', async () => {
  await pool.query(`update customer set review_policy = 'aboveCount', review_above = 10 where customer_id = $1`, [
    world.customerId,
  ]);
  const small = await newTask(TaskStatus.ValidationPassed, { totalCount: 10 });
  assert.equal((await api.ask('owner', `POST /tasks/${small}/confirm`)).body.taskStatus, 3);
  const [large, bad] = [
    await newTask(TaskStatus.ValidationPassed, { totalCount: 11 }),
    await newTask(TaskStatus.ValidationPassed, { totalCount: 11 }),
  ];
  for (const taskId of [large, bad])
    assert.equal((await api.ask('owner', `POST /tasks/${taskId}/confirm`)).body.taskStatus, 10);
  for (const taskId of [large, bad])
    assert.equal((await api.ask('reviewer', `POST /reviews/tasks/${taskId}/claim`)).status, 200);
  assert.equal((await api.ask('reviewer', `POST /reviews/tasks/${large}/approve`, { body: {} })).status, 204);
  assert.equal(
    (await api.ask('reviewer', `POST /reviews/tasks/${bad}/reject`, { body: { reason: 'Wrong.' } })).status,
    204,
  );
  const [approved, rejected] = [
    (await api.ask('owner', `GET /tasks/${large}`)).body,
    (await api.ask('owner', `GET /tasks/${bad}`)).body,
  ];
  assert.deepEqual([approved.taskStatus, approved.reservedCost], [3, 38_500]);
  assert.deepEqual([rejected.taskStatus, rejected.reservedCost, rejected.statusNote], [11, 0, 'Wrong.']);
  await pool.query(`update customer set review_policy = 'never' where customer_id = $1`, [world.customerId]);
});

test('a task in review says by when a decision may be expected', async () => {
  const taskId = await newTask(TaskStatus.ValidationPassed);
  assert.equal((await api.ask('owner', `GET /tasks/${taskId}`)).body.expectedTime, null);
  await pool.query(`update customer set review_policy = 'always' where customer_id = $1`, [world.customerId]);
  await api.ask('owner', `POST /tasks/${taskId}/confirm`, { body: { graceSeconds: 10 } });
  const { taskStatus, expectedTime, graceEndTime } = (await api.ask('owner', `GET /tasks/${taskId}`)).body;
  assert.deepEqual([taskStatus, graceEndTime], [TaskStatus.PendingReview, null]);
  assert.ok(Date.parse(expectedTime) > Date.now(), expectedTime);
  await pool.query(`update customer set review_policy = 'never' where customer_id = $1`, [world.customerId]);
});

test('a task confirmed with a grace can be taken back until it is over; one with a plan has none', async () => {
  const taskId = await newTask(TaskStatus.ValidationPassed, { totalCount: 5 });
  const confirm = (id: string, body: object | undefined) =>
    api.ask('owner', `POST /tasks/${id}/confirm`, body && { body });
  for (const graceSeconds of [-1, 1.5, 61, '10', null])
    assert.equal((await confirm(taskId, { graceSeconds })).status, 400, String(graceSeconds));
  const show = async (id: string) => (await api.ask('owner', `GET /tasks/${id}`)).body;
  assert.equal((await confirm(taskId, { graceSeconds: 60 })).body.taskStatus, TaskStatus.Confirmed);
  const { graceEndTime } = await show(taskId);
  assert.ok(Date.parse(graceEndTime) > Date.now(), graceEndTime);
  assert.equal((await api.ask('owner', `PATCH /tasks/${taskId}`, { body: {} })).body.taskStatus, TaskStatus.Draft);
  const takenBack = await show(taskId);
  assert.deepEqual([takenBack.reservedCost, takenBack.graceEndTime], [0, null]);

  const planned = await newTask(TaskStatus.ValidationPassed, { planTime: new Date(Date.now() + 3_600_000) });
  await confirm(planned, { graceSeconds: 60 });
  assert.equal((await show(planned)).graceEndTime, null);
  const atOnce = await newTask(TaskStatus.ValidationPassed);
  await confirm(atOnce, undefined);
  assert.equal((await show(atOnce)).graceEndTime, null);
});

test('confirming asks again what may have changed since the check', async () => {
  const taskId = await newTask(TaskStatus.ValidationPassed);
  const asks: [string, string, string][] = [
    ['update application set use_state = $2::smallint where app_id = $1', api.appId, 'APP_DISABLED'],
    ['update sender set use_state = $2::smallint where app_id = $1', api.appId, 'SENDER_NOT_SENDABLE'],
    ['update customer set use_state = $2::smallint where customer_id = $1', api.customerId, 'CUSTOMER_SUSPENDED'],
  ];
  for (const [text, key, code] of asks) {
    await pool.query(text, [key, 0]);
    const answer = await api.ask('owner', `POST /tasks/${taskId}/confirm`);
    await pool.query(text, [key, 1]);
    if (code !== 'CUSTOMER_SUSPENDED' || answer.status !== 401) assert.equal(answer.body.code, code);
  }
  await pool.query('update template set serving_version = null where template_id = $1', [world.templateId]);
  assert.equal((await api.ask('owner', `POST /tasks/${taskId}/confirm`)).body.code, 'TEMPLATE_NOT_SENDABLE');
  await pool.query('update template set serving_version = 1 where template_id = $1', [world.templateId]);
  const past = await newTask(TaskStatus.ValidationPassed, { planTime: new Date(Date.now() - 1_000) });
  assert.equal((await api.ask('owner', `POST /tasks/${past}/confirm`)).body.code, 'PLAN_TIME_PAST');
  await pool.query(`update task set latest_start_at = now() - interval '1 second' where task_id = $1`, [taskId]);
  assert.equal((await api.ask('owner', `POST /tasks/${taskId}/confirm`)).body.code, 'TASK_TOO_LATE');
  assert.equal(await statusOf(taskId), 2);
});

test('editing makes a draft again and discards its check and its reservation', async () => {
  const taskId = await newTask(TaskStatus.ValidationPassed, { totalCount: 5 });
  await api.ask('owner', `POST /tasks/${taskId}/confirm`);
  const planTime = new Date(Date.now() + 86_400_000).toISOString();
  const latestStartTime = new Date(Date.now() + 90_000_000).toISOString();
  const edited = await api.ask('member', `PATCH /tasks/${taskId}`, {
    body: { planFlag: 1, planTime, latestStartTime, taskName: 'Later' },
  });
  const { taskStatus, planFlag, taskName, totalCount, estimatedCost } = edited.body;
  assert.deepEqual([taskStatus, planFlag, taskName, totalCount, estimatedCost], [1, 1, 'Later', 0, null]);
  assert.equal(edited.body.planTime, planTime);
  assert.equal(edited.body.latestStartTime, latestStartTime);
  const detail = (await api.ask('owner', `GET /tasks/${taskId}`)).body;
  assert.equal(detail.reservedCost, 0);
  assert.equal(
    (await api.ask('owner', `PATCH /tasks/${taskId}`, { body: { fileId: uuidV7() } })).body.code,
    'FILE_NOT_FOUND',
  );
  assert.equal((await api.ask('owner', `PATCH /tasks/${taskId}`, { body: { appId: null } })).body.appId, null);
  const resubmitted = await api.ask('owner', `PATCH /tasks/${taskId}`, { body: { appId: api.appId } });
  assert.equal(resubmitted.status, 200);
  assert.equal((await api.ask('owner', `POST /tasks/${taskId}/submit`)).body.taskStatus, 0);
});

test('retry holds back what the failed ones cost, and has nothing to do where none failed', async () => {
  const taskId = await newTask(TaskStatus.Completed, { totalCount: 1 });
  const retried = await api.ask('owner', `POST /tasks/${taskId}/retry`);
  assert.deepEqual([retried.body.taskStatus, retried.body.retryCount], [4, 1]);
  assert.equal((await api.ask('owner', `GET /tasks/${taskId}`)).body.reservedCost, 3_500);
  const clean = await world.addTask({ taskStatus: TaskStatus.Completed, endedAt: new Date() });
  await world.addBatch(clean, [
    { ...failed, clientStatus: ClientStatus.Delivered },
    { ...failed, clientStatus: ClientStatus.Blocked, dealResult: 'BLOCKED_OPTED_OUT' },
    { ...failed, dealResult: 'REFUSED_INVALID_DESTINATION' },
  ]);
  const refused = await api.ask('owner', `POST /tasks/${clean}/retry`);
  assert.deepEqual([refused.status, refused.body.code], [409, 'NOTHING_TO_RETRY']);
  // Its last rows are still being written.
  const ending = await world.addTask({ taskStatus: TaskStatus.Terminated });
  await world.addBatch(ending, [failed]);
  assert.equal((await api.ask('owner', `POST /tasks/${ending}/retry`)).body.code, 'TASK_TRANSITION');
});

test('what is in flight is counted from the marks of the batches that a sender holds', async () => {
  const taskId = await newTask(TaskStatus.Sending, { totalCount: 10 });
  const ten = Array.from({ length: 10 }, () => ({ ...failed, clientStatus: ClientStatus.Submitted }));
  const batchId = await world.addBatch(taskId, ten);
  await putInDoubt(pool, [String(batchId)], 1);
  // Nine were handed over: three have an outcome, two came back, one is in doubt.
  await pool.query(
    `update batch set state = 1, owner = gen_random_uuid(), lease_until = now() + interval '1 minute', intent_mark = 9,
       success_count = 2, failed_count = 1, not_taken = '{4,5}', done_at = null where batch_id = $1`,
    [batchId],
  );
  const inFlight = async () => (await api.ask('owner', `GET /tasks/${taskId}`)).body.inFlightCount;
  assert.equal(await inFlight(), 3);
  await pool.query('update batch set state = 0, owner = null where batch_id = $1', [batchId]);
  assert.equal(await inFlight(), 0);
});

test('a test message goes to one phone, with given values or the first recipient’s, and counts for no task', async () => {
  const ofFile = [
    ['', 'A-9'],
    ['Name 0', 'A-0'],
  ];
  const fileId = await world.addFile(2, (index) => ({ msisdn: msisdnAt(index), values: ofFile[index] ?? [] }));
  const taskId = await newTask(TaskStatus.Draft, { fileId });
  const first = await api.ask('owner', `POST /tasks/${taskId}/test`, { body: { mobileNumber: '0917 123 4567' } });
  assert.equal(first.status, 202);
  const given = await api.ask('owner', `POST /tasks/${taskId}/test`, {
    body: { mobileNumber: '+639171234567', variables: ['Ana', '7'] },
  });
  const { rows } = await pool.query(
    `select m.message_id::text, m.msisdn, m.content, m.task_id, b.lane, b.state from message m join batch b on b.batch_id = m.message_id
     where m.message_id = any($1::bigint[]) order by m.message_id`,
    [[first.body.messageId, given.body.messageId]],
  );
  assert.deepEqual(
    rows.map((row) => [row.msisdn, row.content, row.task_id, row.lane, row.state]),
    [
      ['639171234567', 'Hello Name 0, your order A-0 is ready.', null, 2, 0],
      ['639171234567', 'Hello Ana, your order 7 is ready.', null, 2, 0],
    ],
  );
  const refusals: [object, number, string][] = [
    [{ mobileNumber: '12' }, 400, 'MOBILE_NUMBER_INVALID'],
    [{ mobileNumber: '(02) 8123 4567' }, 400, 'MOBILE_NUMBER_INVALID'],
    [{ mobileNumber: '09171234567', variables: ['Ana'] }, 400, 'VALUES_MISSING'],
    [{ mobileNumber: '09171234567', variables: ['bit.ly/x', '7'] }, 400, 'VALIDATION_FAILED'],
  ];
  for (const [input, status, code] of refusals) {
    const answer = await api.ask('owner', `POST /tasks/${taskId}/test`, { body: input });
    assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(input));
  }
  const sending = await newTask(TaskStatus.Sending);
  assert.equal(
    (await api.ask('owner', `POST /tasks/${sending}/test`, { body: { mobileNumber: '09171234567' } })).body.code,
    'TASK_TRANSITION',
  );
});

test('the list pages without a gap or a repeat while tasks are added, filters, and leaves as csv', async () => {
  await Promise.all(Array.from({ length: 7 }, (_, i) => world.addTask({ taskStatus: 1, taskName: `=Paged ${i}` })));
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = { limit: '3', search: 'paged', ...(cursor === null ? {} : { cursor }) };
    const page = (await api.ask('viewer', 'GET /tasks', { query })).body;
    seen.push(...page.items.map((task: { taskName: string }) => task.taskName));
    cursor = page.nextCursor;
    await world.addTask({ taskStatus: 1, taskName: `=Paged late ${seen.length}` });
  } while (cursor !== null);
  assert.deepEqual(
    [...seen].sort(),
    Array.from({ length: 7 }, (_, i) => `=Paged ${i}`),
  );
  const sending = (await api.ask('owner', 'GET /tasks', { query: { taskStatus: '5', limit: '200' } })).body;
  assert.ok(sending.items.every((task: { taskStatus: number }) => task.taskStatus === 5));
  const some = (await api.ask('owner', 'GET /tasks', { query: { search: 'paged', limit: '2' } })).body;
  const [one, two] = some.items as { taskId: string }[];
  const chosen = { ids: [two, one].map((task) => task!.taskId).join(',') };
  const ofBoth = (await api.ask('owner', 'GET /tasks', { query: chosen })).body;
  assert.deepEqual(ofBoth.items, [one, two]);
  assert.deepEqual((await api.ask('other', 'GET /tasks', { query: chosen })).body.items, []);
  const csv = await api.ask('owner', 'GET /tasks', { query: { search: 'Paged 3' }, headers: { accept: 'text/csv' } });
  assert.match(String(csv.headers['content-type']), /^text\/csv/);
  assert.match(csv.text, /,'=Paged 3,/);
  const { rows } = await pool.query(`select after from audit_log where action = 'export' and subject_type = 'tasks'`);
  assert.equal(rows.length, 1);
  assert.equal((await api.ask('owner', 'GET /tasks', { query: { cursor: 'x' } })).body.code, 'CURSOR_INVALID');
  const staff = (await api.ask('operator', 'GET /tasks', { query: { limit: '1' } })).body;
  assert.equal(staff.items[0].operator, 'Customer A');
  assert.deepEqual((await api.ask('other', 'GET /tasks', { query: { search: 'paged' } })).body.items, []);
});

test('send detail finds one number across many batches immediately, and progress is 100 only if complete', async () => {
  const taskId = await world.addTask({ taskStatus: TaskStatus.Sending, totalCount: 10_000 });
  for (let i = 10; i < 55; i++)
    await world.addBatch(taskId, [
      { msisdn: `6391711111${i}`, content: 'x', carrier: 'Globe', clientStatus: ClientStatus.Delivered },
    ]);
  const found = (query: Record<string, string>) =>
    api.ask('owner', `GET /tasks/${taskId}/details`, { query }).then(({ body }) => body);
  const one = await found({ mobileNumber: '639171111153' });
  assert.deepEqual([one.items.length, one.nextCursor], [1, null]);
  const none = await found({ dealResult: 'OPTED_OUT' });
  assert.deepEqual([none.items, none.nextCursor], [[], null]);
  const all = await found({ limit: '45' });
  assert.equal(all.items.length, 45);
  await pool.query(
    `update task_progress set success_count = case writer when (select min(writer) from task_progress where task_id = $1)
       then 9999 else 0 end where task_id = $1`,
    [taskId],
  );
  assert.equal((await api.ask('owner', `GET /tasks/${taskId}`)).body.progress, 99.9);
});

test('send detail shows each recipient once, filters by phone and status, and pages through batches', async () => {
  const taskId = await world.addTask({ taskStatus: TaskStatus.Sending, totalCount: 9 });
  const at = (i: number, status: ClientStatus) => ({
    msisdn: `63917000000${i}`,
    content: 'x',
    carrier: 'Globe',
    clientStatus: status,
    receiptAfterMs: 500,
  });
  await world.addBatch(taskId, [at(0, 2), at(1, 3), at(2, 5)]);
  const open = await world.addBatch(taskId, [at(3, 0), at(4, 0), at(5, 0)]);
  await world.addBatch(taskId, [at(6, 7), at(7, 2), at(8, 2)]);
  // The first of the second batch may be on the wire, the second was not taken by the carrier.
  await pool.query(`update batch set state = 1, intent_mark = 2, not_taken = '{1}' where batch_id = $1`, [
    String(open),
  ]);
  const read = async (query: Record<string, string>) => {
    const rows: { mobileNumber: string; sendStatus: number; dealResult: string }[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: typeof rows; nextCursor: string | null } = (
        await api.ask('owner', `GET /tasks/${taskId}/details`, {
          query: { limit: '2', ...query, ...(cursor === null ? {} : { cursor }) },
        })
      ).body;
      rows.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return rows.map((row) => `${row.mobileNumber.slice(-1)}:${row.sendStatus}:${row.dealResult}`);
  };
  assert.deepEqual(await read({}), [
    '0:3:ACCEPTED',
    '1:3:ACCEPTED',
    '2:2:REFUSED_BY_CARRIER',
    '3:1:HANDED_OVER',
    '4:0:WAITING',
    '5:0:WAITING',
    '6:2:REFUSED_BY_CARRIER',
    '7:3:ACCEPTED',
    '8:3:ACCEPTED',
  ]);
  assert.deepEqual(await read({ sendStatus: '0,1' }), ['3:1:HANDED_OVER', '4:0:WAITING', '5:0:WAITING']);
  assert.deepEqual(await read({ clientStatus: '3' }), ['1:3:ACCEPTED']);
  assert.deepEqual(await read({ mobileNumber: '0917 000 0008' }), ['8:3:ACCEPTED']);
  assert.equal((await read({ mobileNumber: '09170' })).length, 9);
  const masked = (await api.ask('viewer', `GET /tasks/${taskId}/details`)).body;
  assert.equal(masked.items[0].mobileNumber, '63******0000');
  const csv = await api.ask('owner', `GET /tasks/${taskId}/details`, { headers: { accept: 'text/csv' } });
  assert.equal(csv.text.trim().split('\r\n').length, 10);
});

test('the send log adds up to what was handed over, minute by minute', async () => {
  const taskId = await world.addTask({ taskStatus: TaskStatus.Completed, totalCount: 5, endedAt: new Date() });
  const at = (second: number) => new Date(Date.UTC(2026, 0, 5, 3, 0, second));
  const ok = { ...failed, clientStatus: ClientStatus.Delivered };
  await world.addBatch(taskId, [ok, failed], at(1));
  await world.addBatch(taskId, [ok, ok], at(30));
  await world.addBatch(taskId, [ok], at(61));
  const { items, nextCursor } = (await api.ask('owner', `GET /tasks/${taskId}/log`, { query: { limit: '1' } })).body;
  assert.deepEqual(items, [{ sendTime: '2026-01-05T03:01:00.000Z', totalCount: 1, successCount: 1, failedCount: 0 }]);
  const next = (await api.ask('owner', `GET /tasks/${taskId}/log`, { query: { limit: '1', cursor: nextCursor } })).body;
  assert.deepEqual(next, {
    items: [{ sendTime: '2026-01-05T03:00:00.000Z', totalCount: 4, successCount: 3, failedCount: 1 }],
    nextCursor: null,
  });
});

test('access: no anonymous calls, no viewer actions, staff only stop, nothing of another customer', async () => {
  const taskId = await newTask(TaskStatus.Sending);
  const reads = ['', '/details', '/log', '/events'];
  for (const path of reads) {
    assert.equal((await api.ask(null, `GET /tasks/${taskId}${path}`)).status, 401, path);
    assert.equal((await api.ask('other', `GET /tasks/${taskId}${path}`)).status, 404, path);
    assert.equal((await api.ask('owner', `GET /tasks/${uuidV7()}${path}`)).status, 404, path);
    assert.equal((await api.ask('owner', `GET /tasks/nonsense${path}`)).status, 404, path);
  }
  assert.equal((await api.ask('viewer', `GET /tasks/${taskId}/rejects`)).status, 403);
  const acts = ['submit', 'confirm', 'cancel', 'terminate', 'pause', 'resume', 'retry', 'resend', 'test'];
  for (const act of acts) {
    const input = act === 'test' ? { body: { mobileNumber: '09171234567' } } : {};
    assert.equal((await api.ask(null, `POST /tasks/${taskId}/${act}`, input)).status, 401, act);
    assert.equal((await api.ask('viewer', `POST /tasks/${taskId}/${act}`, input)).status, 403, act);
    assert.equal((await api.ask('other', `POST /tasks/${taskId}/${act}`, input)).status, 404, act);
    const isStop = ['terminate', 'pause', 'resume'].includes(act);
    if (!isStop) assert.equal((await api.ask('operator', `POST /tasks/${taskId}/${act}`, input)).status, 403, act);
    assert.equal((await api.ask('reviewer', `POST /tasks/${taskId}/${act}`, input)).status, 403, act);
  }
  for (const who of ['viewer', 'admin'] as const) {
    assert.equal((await api.ask(who, 'POST /tasks', { body: { taskName: 'x', draft: true } })).status, 403);
    assert.equal((await api.ask(who, `PATCH /tasks/${taskId}`, { body: { taskName: 'x' } })).status, 403);
    assert.equal((await api.ask(who, `DELETE /tasks/${taskId}`)).status, 403);
  }
  assert.equal((await api.ask('other', `PATCH /tasks/${taskId}`, { body: { taskName: 'x' } })).status, 404);
  assert.equal((await api.ask('other', `DELETE /tasks/${taskId}`)).status, 404);
  assert.equal((await api.ask('owner', `PATCH /tasks/${taskId}`, { body: { customerId: uuidV7() } })).status, 400);
  assert.equal(await statusOf(taskId), 5);
});
