/** A task's estimate, its results, and the actions on them: copying it, retrying selected results. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientStatus, TaskStatus } from '@pahatid/contract';
import { getFunds, uuidV7 } from '@pahatid/db';
import { compileTemplate, DealResult } from '@pahatid/domain';
import { makeTaskWorld, msisdnAt } from '../../http/testing/task-world.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';
import { RoutingCache } from '../../sending/route/routing-table.ts';
import { checkNextTask } from './check-next-task.ts';
import { estimateRows } from './estimate-task.ts';
import { prepareNextTask } from './prepare-next-task.ts';
import { makeRecent } from './recent.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const world = await makeTaskWorld(pool, api.customerId, api.appId);
await pool.query(`update customer set review_policy = 'never'`);

const estimate = (fileId: string, query: Record<string, string> = {}) =>
  api.ask('member', 'GET /tasks/estimate', {
    query: { fileId, templateId: world.templateId, smsType: '2', ...query },
  });
/** 1 segment, or 2 for every fourth row. */
const rowAt = (index: number) => ({
  msisdn: msisdnAt(index),
  values: [index % 4 === 3 ? 'N'.repeat(150) : `Name ${index}`, `A-${index}`],
});

test('the estimate before the check and the check agree to the centavo, by carrier and in all', async () => {
  await pool.query(`insert into price (price_id, carrier, price) values ($1, 'Smart', 5000)`, [uuidV7()]);
  const fileId = await world.addFile(2_500, rowAt);
  const before = await estimate(fileId);
  assert.equal(before.status, 200, before.text);
  const { speed, longestRow, ...figures } = before.body;
  assert.equal(longestRow, 3);
  assert.deepEqual(
    [figures.rowCount, figures.readCount, figures.recipients, figures.segments],
    [2_500, 2_500, 2_500, 3_125],
  );
  assert.deepEqual([figures.segmentsMin, figures.segmentsMax, figures.segmentsAverage], [1, 2, 1.25]);
  assert.deepEqual(
    new Set(figures.carriers.map((one: { carrier: string }) => one.carrier)),
    new Set(['Globe', 'Smart', 'DITO']),
  );
  const cost = figures.carriers.reduce((sum: number, one: { cost: number }) => sum + one.cost, 0);
  assert.equal(figures.cost, cost);
  assert.equal(speed.basis, 'limit');

  const taskId = await world.addTask({ taskStatus: TaskStatus.Initialized, fileId });
  await checkNextTask(await world.jobs());
  const after = await api.ask('viewer', `GET /tasks/${taskId}/estimate`);
  assert.equal(after.status, 200, after.text);
  const { speed: speedAfter, longestRow: unknown, ...checked } = after.body;
  assert.equal(unknown, null);
  assert.deepEqual(checked, figures);
  assert.deepEqual(speedAfter, speed);
  const detail = await api.ask('owner', `GET /tasks/${taskId}`);
  assert.deepEqual([detail.body.estimatedCost, detail.body.estimatedSegments], [figures.cost, figures.segments]);
});

test('opted-out recipients are excluded from marketing, rows rejected by the template from everything', async () => {
  const fileId = await world.addFile(10, (index) => ({
    msisdn: msisdnAt(index),
    values: [index === 2 ? '' : 'Ana', 'x'],
  }));
  const { body } = await estimate(fileId);
  assert.deepEqual([body.recipients, body.droppedCount, body.rowCount], [9, 1, 10]);
  const refused = await estimate(fileId, { smsType: '3' });
  assert.deepEqual([refused.status, refused.body.code], [409, 'TEMPLATE_TYPE_MISMATCH']);
});

test('an estimate over a part of the file agrees with the file’s own counts, and its carriers with its sums', async () => {
  const fileId = await world.addFile(3_001, rowAt);
  const file = { fileId, generation: 1, optedOutCount: 7 };
  const { rows } = await pool.query<{ generation: number }>('select generation from file where file_id = $1', [fileId]);
  file.generation = rows[0]?.generation ?? 0;
  const terms = {
    customerId: api.customerId,
    appId: api.appId,
    smsType: 3,
    template: compileTemplate('Hi {1}'),
    mapping: [1],
    routing: await new RoutingCache(pool).current(),
  };
  const figures = await estimateRows(pool, file, terms, { maxBlocks: 1 });
  assert.ok(figures.readCount < figures.rowCount);
  assert.deepEqual([figures.optedOutCount, figures.recipients], [7, 2_994]);
  for (const key of ['recipients', 'segments', 'cost'] as const)
    assert.equal(
      figures.carriers.reduce((sum, one) => sum + one[key], 0),
      figures[key],
    );
  for (const { cost, segments, price } of figures.carriers) assert.equal(cost, segments * price);
});

test('an estimate is rejected with its own reason, and only covers data of the customer', async () => {
  const fileId = await world.addFile(3);
  assert.equal((await api.ask(null, 'GET /tasks/estimate')).status, 401);
  assert.equal((await api.ask('viewer', 'GET /tasks/estimate')).status, 403);
  const query = { fileId, templateId: world.templateId, smsType: '2' };
  assert.equal((await api.ask('other', 'GET /tasks/estimate', { query })).body.code, 'FILE_NOT_FOUND');
  assert.equal((await estimate(fileId, { columns: '9,1' })).body.code, 'MAPPING_INVALID');
  assert.equal((await estimate(fileId, { templateId: uuidV7() })).body.code, 'TEMPLATE_NOT_FOUND');
  assert.equal((await estimate(fileId, { smsType: '7' })).status, 400);
  const draft = await world.addTask({ taskStatus: TaskStatus.Draft });
  assert.equal((await api.ask('owner', `GET /tasks/${draft}/estimate`)).body.code, 'TASK_TRANSITION');
  assert.equal((await api.ask('other', `GET /tasks/${draft}/estimate`)).status, 404);
});

test('the speed is that of the latest large task where it went slower than its carriers take', async () => {
  const fileId = await world.addFile(1_000);
  const { perSecond } = (await estimate(fileId)).body.speed;
  const taskId = await world.addTask({
    taskStatus: TaskStatus.Completed,
    taskName: 'Measured',
    totalCount: 1_000,
    startedAt: new Date(),
    endedAt: new Date(),
  });
  await world.addBatch(taskId, [failed()]);
  await pool.query(
    `update batch set intent_mark = 1000, message_count = 1000, first_sent_at = now() - interval '50 seconds', done_at = now() - interval '10 seconds'
     where task_id = $1`,
    [taskId],
  );
  const { speed } = (await estimate(fileId)).body;
  assert.deepEqual([speed.basis, speed.taskName, speed.perSecond], ['measured', 'Measured', 25]);
  assert.ok(perSecond > 25);
  await pool.query('delete from message where task_id = $1', [taskId]);
  await pool.query('delete from batch where task_id = $1', [taskId]);
});

test('rows of a file are read by their place among the valid ones', async () => {
  const fileId = await world.addFile(1_500);
  const { body } = await api.ask('member', `GET /files/${fileId}/rows`, { query: { from: '999', limit: '3' } });
  assert.equal(body.total, 1_500);
  assert.deepEqual(
    body.items.map((row: { values: string[] }) => row.values[1]),
    ['Name 999', 'Name 1000', 'Name 1001'],
  );
  assert.equal(body.items[0].values[0], '', 'the number is not among the values');
  const past = await api.ask('member', `GET /files/${fileId}/rows`, { query: { from: '1500' } });
  assert.deepEqual(past.body, { items: [], total: 1_500 });
  assert.equal((await api.ask('other', `GET /files/${fileId}/rows`)).status, 404);
  assert.equal((await api.ask('viewer', `GET /files/${fileId}/rows`)).status, 403);
});

const failed = (more = {}) => ({
  msisdn: '639171234567',
  content: 'x',
  carrier: 'Globe',
  clientStatus: ClientStatus.Rejected,
  ...more,
});

/** An ended task, some of whose messages failed for different reasons. */
async function addMixed(): Promise<string> {
  const taskId = await world.addTask({ taskStatus: TaskStatus.Completed, endedAt: new Date(), totalCount: 7 });
  await world.addBatch(taskId, [
    failed({ dealResult: DealResult.TriesUsedUp }),
    failed({ dealResult: DealResult.TriesUsedUp, msisdn: '639171234568' }),
    failed({ dealResult: DealResult.CarrierNoCredit, msisdn: '639171234569' }),
    failed({ dealResult: DealResult.RefusedDestination, msisdn: '639171234570' }),
    failed({ msisdn: '639171234571' }),
    failed({ clientStatus: ClientStatus.Delivered, msisdn: '639171234572' }),
    failed({ clientStatus: ClientStatus.Expired, msisdn: '639171234573', dealResult: DealResult.Expired }),
  ]);
  return taskId;
}

test('task outcomes are counted by carrier and by reason, and a reason lists its recipients', async () => {
  const taskId = await addMixed();
  const { body } = await api.ask('viewer', `GET /tasks/${taskId}/breakdown`);
  assert.deepEqual(body.carriers, [
    {
      carrier: 'Globe',
      recipients: 7,
      waitingCount: 0,
      acceptedCount: 2,
      failedCount: 5,
      deliveredCount: 1,
      undeliveredCount: 1,
      unknownCount: 0,
    },
  ]);
  const of = Object.fromEntries(
    body.reasons.map((one: { dealResult: string; count: number; isRequest: boolean; mayRetry: boolean }) => [
      one.dealResult,
      [one.count, one.isRequest, one.mayRetry],
    ]),
  );
  assert.deepEqual(of, {
    TRIES_USED_UP: [2, true, true],
    CARRIER_NO_CREDIT: [1, true, true],
    REFUSED_INVALID_DESTINATION: [1, true, false],
    REFUSED_BY_CARRIER: [1, true, true],
    EXPIRED: [1, false, false],
  });
  for (const [dealResult, [count]] of Object.entries(of) as [string, [number]][]) {
    const shown = await api.ask('viewer', `GET /tasks/${taskId}/details`, { query: { dealResult } });
    assert.equal(shown.body.items.length, count, dealResult);
    assert.ok(shown.body.items.every((row: { dealResult: string }) => row.dealResult === dealResult));
  }
  assert.equal((await api.ask('other', `GET /tasks/${taskId}/breakdown`)).status, 404);
  assert.equal((await api.ask('viewer', `GET /tasks/${taskId}/details`, { query: { dealResult: 'no' } })).status, 400);
});

test('a retry repeats the chosen results alone, once however often it is asked, and holds back what they cost', async () => {
  const taskId = await addMixed();
  const before = await getFunds(pool, world.customerId);
  const only = { dealResults: [DealResult.TriesUsedUp, DealResult.RefusedDestination] };
  const answers = await Promise.all(
    [1, 2, 3].map(() => api.ask('member', `POST /tasks/${taskId}/retry`, { body: only })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  const { rows } = await pool.query<{ price: number; held: number }>(
    `select max(m.price) as price, (select amount::int from reservation r where r.task_id = $1) as held from message m where task_id = $1`,
    [taskId],
  );
  const after = await getFunds(pool, world.customerId);
  const price = rows[0]?.price ?? 0;
  assert.ok(price > 0);
  assert.equal(after.reserved - before.reserved, 2 * price, 'two messages of one segment');

  const jobs = await world.jobs();
  while (await prepareNextTask(jobs)) {
    const { rows: left } = await pool.query('select 1 from task where task_id = $1 and not prepared', [taskId]);
    if (left.length === 0) break;
  }
  const { rows: repeated } = await pool.query<{ msisdn: string; deal_result: string }>(
    `select o.msisdn, o.deal_result from message m join message o on o.customer_id = m.customer_id and o.message_id = m.retry_of
     where m.task_id = $1 order by o.msisdn`,
    [taskId],
  );
  assert.deepEqual(repeated, [
    { msisdn: '639171234567', deal_result: 'TRIES_USED_UP' },
    { msisdn: '639171234568', deal_result: 'TRIES_USED_UP' },
  ]);
  const { body } = await api.ask('owner', `GET /tasks/${taskId}`);
  const event = body.timeline.find((one: { action: string }) => one.action === 'retry');
  assert.equal(event.note, 'TRIES_USED_UP, REFUSED_INVALID_DESTINATION');
});

test('non-repeatable results cannot be retried, and neither can an invalid list', async () => {
  const taskId = await addMixed();
  const retry = (dealResults: unknown) => api.ask('member', `POST /tasks/${taskId}/retry`, { body: { dealResults } });
  assert.equal((await retry([DealResult.RefusedDestination])).body.code, 'NOTHING_TO_RETRY');
  assert.equal((await retry([DealResult.Expired])).body.code, 'NOTHING_TO_RETRY');
  assert.equal((await retry([])).status, 400);
  assert.equal((await retry(['drop table'])).status, 400);
  assert.equal((await api.ask('viewer', `POST /tasks/${taskId}/retry`, { body: {} })).status, 403);
  assert.equal((await api.ask('other', `POST /tasks/${taskId}/retry`, { body: {} })).status, 404);
});

test('a copy is a new draft with the same fields and file; deleted items must be chosen again', async () => {
  const taskId = await addMixed();
  const body = { taskName: 'Copy of it' };
  const headers = { 'idempotency-key': uuidV7() };
  const copy = await api.ask('member', `POST /tasks/${taskId}/copy`, { body, headers });
  assert.equal(copy.status, 201, copy.text);
  const again = await api.ask('member', `POST /tasks/${taskId}/copy`, { body, headers });
  assert.equal(again.body.taskId, copy.body.taskId, 'pressed twice, one copy');
  const original = (await api.ask('owner', `GET /tasks/${taskId}`)).body;
  const kept = ['appId', 'smsType', 'templateId', 'senderId', 'mobileFile', 'mapping'] as const;
  for (const field of kept) assert.deepEqual(copy.body[field], original[field], field);
  assert.deepEqual(
    [copy.body.taskName, copy.body.taskStatus, copy.body.totalCount, copy.body.planTime],
    ['Copy of it', TaskStatus.Draft, 0, null],
  );
  await pool.query(`update file set file_status = 'fail', error_code = 'FILE_EXPIRED' where file_id = $1`, [
    original.mobileFile.fileId,
  ]);
  await pool.query(`update template set deleted_at = now() where template_id = $1`, [world.templateId]);
  const bare = await api.ask('member', `POST /tasks/${taskId}/copy`, { body });
  await pool.query(`update template set deleted_at = null where template_id = $1`, [world.templateId]);
  assert.deepEqual([bare.body.mobileFile, bare.body.mapping, bare.body.templateId], [null, null, null]);
  assert.equal((await api.ask('viewer', `POST /tasks/${taskId}/copy`, { body })).status, 403);
  assert.equal((await api.ask('other', `POST /tasks/${taskId}/copy`, { body })).status, 404);
});

test('a costly answer is asked for once while it is new, and again when it failed', async () => {
  let now = 0;
  let asked = 0;
  const recent = makeRecent<number>(1_000, () => now);
  const read = async () => {
    asked += 1;
    if (asked === 1) throw new Error('no');
    return asked;
  };
  await assert.rejects(recent.of('a', read));
  assert.deepEqual(await Promise.all([recent.of('a', read), recent.of('a', read)]), [2, 2]);
  now = 1_001;
  assert.equal(await recent.of('a', read), 3);
});
