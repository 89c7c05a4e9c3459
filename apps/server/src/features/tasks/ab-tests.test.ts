/** A/B tests: how recipients are divided, when and how it is decided, and that no recipient is left out or gets two texts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStatus } from '@pahatid/contract/enums';
import { withTransaction } from '@pahatid/db';
import { buildTemplate } from '@pahatid/db/builders';
import { lockDueTasks } from '@pahatid/db/queries/task-running';
import { makeTaskWorld, sendAll } from '../../http/testing/task-world.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { ItemTurns } from '../../process/item-turns.ts';
import { findDifferences } from '../../verify/find-differences.ts';
import { options as all } from '../../verify/testing/agrees.ts';
import { registerNotices } from '../notices/routes.ts';
import { checkNextTask } from './check-next-task.ts';
import { decideAbTests } from './decide-ab-test.ts';
import { finishTasks } from './finish-tasks.ts';
import { prepareNextTask } from './prepare-next-task.ts';
import { registerTasks } from './routes.ts';
import { startAbTest } from './start-ab-test.ts';
import { startDueTasks } from './start-due-tasks.ts';

const api = await makeTestApi({ features: [registerTasks, registerNotices] });
const { customerId, appId, ask } = api;
const { pool } = api.db;
const world = await makeTaskWorld(pool, customerId, appId);
const jobs = await world.jobs();
const plain = await buildTemplate(pool, { customerId, appId, content: 'Plain text for {1}.' });
const long = await buildTemplate(pool, { customerId, appId, content: `Order {2} of {1}: ${'x'.repeat(150)}` });

interface Choice {
  shares?: [number, number];
  rule?: 'clicks' | 'delivered' | 'manual';
  fallback?: number | null;
  delays?: [number, number];
}
const planOf = ({ shares = [10, 10], rule = 'delivered', fallback = null, delays = [0, 0] }: Choice = {}) => ({
  variants: [
    { templateId: plain, share: shares[0], delayMinutes: delays[0] },
    { templateId: long, share: shares[1], delayMinutes: delays[1] },
  ],
  rule,
  waitMinutes: 60,
  fallback,
});
let names = 0;
const create = (fileId: string, abTest: unknown, more: object = {}) =>
  ask('member', 'POST /tasks', {
    body: { taskName: `Test ${++names}`, appId, smsType: 2, senderId: world.senderId, fileId, abTest, ...more },
  });
const check = async () => {
  while (await checkNextTask(jobs));
};
const checked = async (count: number, choice: Choice = {}): Promise<string> => {
  const answer = await create(await world.addFile(count), planOf(choice));
  assert.equal(answer.status, 201, answer.text);
  await check();
  return answer.body.taskId;
};
const act = (taskId: string, what: string, body?: object) =>
  ask('owner', `POST /tasks/${taskId}/${what}`, body ? { body } : {});
const detailOf = async (taskId: string) => (await ask('owner', `GET /tasks/${taskId}`)).body;
const resultsOf = async (taskId: string) => (await ask('viewer', `GET /tasks/${taskId}/ab-test`)).body;
const start = async () => {
  while (await startDueTasks(jobs));
};
const prepare = async () => {
  while (await prepareNextTask(jobs, { maxBatchesAhead: 1_000 }));
};
const turns = new ItemTurns({ job: 'decideAbTests', log: jobs.log });
const decide = (minutes: number) =>
  decideAbTests({ ...jobs, offsetMs: minutes * 60_000 }, { publicUrl: 'https://pahatid.test' }, turns);
/** Confirms, and starts the variants. */
const begun = async (count: number, choice: Choice = {}): Promise<{ taskId: string; variants: string[] }> => {
  const taskId = await checked(count, choice);
  const confirmed = await act(taskId, 'confirm');
  assert.equal(confirmed.status, 200, confirmed.text);
  await start();
  const { abTest } = await detailOf(taskId);
  return { taskId, variants: abTest.variants.map((each: { taskId: string }) => each.taskId) };
};
/** Sends what is prepared, delivers `delivered` of it, and ends the task. */
const end = async (taskId: string, delivered: number) => {
  await prepare();
  await sendAll(pool, taskId, () => 'success');
  await pool.query('update task_progress set delivered_count = $2 where task_id = $1', [taskId, delivered]);
  await finishTasks(jobs);
  assert.equal((await detailOf(taskId)).taskStatus, TaskStatus.Completed);
};
const sentTo = async (taskIds: readonly string[]) => {
  const { rows } = await pool.query<{ msisdn: string; taskId: string; content: string }>(
    `select msisdn, task_id as "taskId", content from message where task_id = any($1::uuid[])`,
    [taskIds],
  );
  return rows;
};
/** Each recipient of the file was written to by exactly one of the tasks. */
const assertEachOnce = async (taskIds: readonly string[], count: number) => {
  const rows = await sentTo(taskIds);
  assert.equal(rows.length, count);
  assert.equal(new Set(rows.map(({ msisdn }) => msisdn)).size, count);
};
const reservedOf = async (taskIds: readonly string[]): Promise<number[]> =>
  Promise.all(taskIds.map(async (taskId) => (await detailOf(taskId)).reservedCost));
const assertCounted = async () => {
  const { differences } = await findDifferences(pool, all);
  const counted = ['taskTotal', 'taskEnd', 'file', 'batchRange', 'batchCounts'];
  assert.deepEqual(
    differences.filter((each) => counted.includes(each.check)),
    [],
  );
};

test('the whole way: variants first, the rest with the winner’s text, each recipient once', async () => {
  const taskId = await checked(1_000);
  const before = await detailOf(taskId);
  assert.equal(before.totalCount, 1_000);
  assert.deepEqual(before.mapping.variables, [1, 2], 'as the text with more variables needs');
  // 100 plain ones of one segment; the long text costs two for 100, and for the 800 others unless it loses.
  assert.equal(before.estimatedSegments, 100 + 200 + 1_600);
  assert.equal(before.estimatedCost, 1_900 * 3_500);
  assert.equal((await act(taskId, 'confirm')).status, 200);
  await start();
  const waiting = await detailOf(taskId);
  const variants: string[] = waiting.abTest.variants.map((each: { taskId: string }) => each.taskId);
  const parts = [taskId, ...variants];
  assert.deepEqual(
    [waiting.taskStatus, waiting.statusReason, waiting.totalCount],
    [TaskStatus.Confirmed, 'AB_TESTING', 800],
  );
  assert.deepEqual(await reservedOf(parts), [1_600 * 3_500, 100 * 3_500, 200 * 3_500]);
  const [a] = variants;
  const child = await detailOf(a ?? '');
  assert.deepEqual([child.abVariant, child.taskName], [{ taskId, variant: 0 }, `${waiting.taskName} – A`]);
  await prepare();
  assert.equal((await sentTo([taskId])).length, 0, 'the others wait');
  await end(variants[0] ?? '', 60);
  assert.equal(await decide(120), false, 'the other variant is not done');
  await end(variants[1] ?? '', 95);
  const results = await resultsOf(taskId);
  assert.deepEqual([results.judgement.leader, results.judgement.isWithinChance, results.winner], [1, false, null]);
  await decide(0);
  assert.equal((await resultsOf(taskId)).winner, null, 'an hour from now');
  assert.equal(await decide(61), true);
  assert.equal(await decide(61), false);
  const decided = await resultsOf(taskId);
  assert.deepEqual([decided.winner, decided.decidedBy, decided.restCount], [1, 'rule', 800]);
  assert.deepEqual(
    decided.variants.map((each) => [each.result?.acceptedCount, each.result?.deliveredCount]),
    [
      [100, 60],
      [100, 95],
    ],
  );
  // The decision was made an hour ahead of the clock.
  await pool.query('update task set plan_time = clock_timestamp() where task_id = $1', [taskId]);
  await start();
  await end(taskId, 700);
  await assertEachOnce(parts, 1_000);
  const rest = await sentTo([taskId]);
  assert.ok(rest.every(({ content }) => content.startsWith('Order A-')));
  assert.ok((await sentTo([variants[0] ?? ''])).every(({ content }) => content.startsWith('Plain text for Name ')));
  assert.deepEqual(await reservedOf(parts), [0, 0, 0]);
  await assertCounted();
});

test('a winner that costs less leaves the difference free', async () => {
  const { taskId, variants } = await begun(100, { rule: 'manual' });
  for (const variant of variants) await end(variant, 5);
  assert.deepEqual(await reservedOf([taskId]), [160 * 3_500]);
  assert.equal((await act(taskId, 'ab-test/decide', { winner: 0 })).status, 200);
  assert.deepEqual(await reservedOf([taskId]), [80 * 3_500]);
});

test('shares are exact, also with few recipients; with too few the check says so', async () => {
  const seven = await begun(7, { shares: [20, 30] });
  assert.deepEqual(
    (await resultsOf(seven.taskId)).variants.map((each) => each.recipientCount),
    [1, 3],
  );
  assert.equal((await resultsOf(seven.taskId)).restCount, 3);
  const one = await checked(1);
  const failed = await detailOf(one);
  assert.deepEqual([failed.taskStatus, failed.statusReason], [TaskStatus.Failed, 'AB_TOO_FEW']);
  const many = await begun(10_000, { shares: [1, 33] });
  const results = await resultsOf(many.taskId);
  assert.deepEqual([...results.variants.map((each) => each.recipientCount), results.restCount], [100, 3_300, 6_600]);
});

test('a row that one of the templates refuses is no recipient', async () => {
  const rows = (index: number) => ({
    msisdn: `639170009${String(index).padStart(3, '0')}`,
    values: [`N${index}`, index < 40 ? '' : 'A'],
  });
  const fileId = await world.addFile(100, rows);
  const { body } = await create(fileId, planOf());
  await check();
  const task = await detailOf(body.taskId);
  assert.deepEqual([task.totalCount, task.droppedCount], [60, 40]);
  await act(body.taskId, 'confirm');
  await start();
  await prepare();
  const { abTest } = await detailOf(body.taskId);
  const sent = await sentTo(abTest.variants.map((each: { taskId: string }) => each.taskId));
  assert.equal(sent.length, 12);
  assert.ok(sent.every(({ msisdn }) => Number(msisdn.slice(-3)) >= 40));
});

test('within chance the fallback is sent; without one a person is asked, and nothing is sent until then', async () => {
  const even = await begun(1_000, { fallback: 1 });
  for (const variant of even.variants) await end(variant, 80);
  await decide(0);
  await decide(61);
  const decided = await resultsOf(even.taskId);
  assert.deepEqual([decided.winner, decided.decidedBy, decided.judgement?.isWithinChance], [1, 'fallback', true]);

  const open = await begun(1_000);
  for (const variant of open.variants) await end(variant, 80);
  await decide(0);
  await decide(61);
  await decide(61);
  const task = await detailOf(open.taskId);
  assert.deepEqual(
    [task.taskStatus, task.statusReason, task.abTest.winner],
    [TaskStatus.Confirmed, 'AB_UNDECIDED', null],
  );
  const { body } = await ask('member', 'GET /notices', { query: { kind: 'abUndecided' } });
  assert.deepEqual(
    body.items.map((each: { params: unknown }) => each.params),
    [{ taskId: open.taskId, taskName: task.taskName }],
  );
  await start();
  await prepare();
  assert.equal((await sentTo([open.taskId])).length, 0);
  assert.equal((await act(open.taskId, 'ab-test/decide', { winner: 0 })).status, 200);
  const { deciderName, decidedBy } = await resultsOf(open.taskId);
  assert.deepEqual([deciderName === null, decidedBy], [false, 'person']);
});

test('a person decides before the time; two at the same time decide once', async () => {
  const { taskId } = await begun(100);
  const answers = await Promise.all([0, 1].map((winner) => act(taskId, 'ab-test/decide', { winner })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  const { winner } = await resultsOf(taskId);
  assert.equal(answers[winner ?? 9]?.status, 200);
  await start();
  await prepare();
  assert.equal((await sentTo([taskId])).length, 80);
});

test('two programs start and decide the same test: once each', async () => {
  const taskId = await checked(100, { fallback: 0 });
  await act(taskId, 'confirm');
  await Promise.all([start(), start(), start()]);
  await start();
  const { rows } = await pool.query('select count(*)::int as n from task where task_name like $1', [
    `${(await detailOf(taskId)).taskName} – %`,
  ]);
  assert.equal(rows[0].n, 2);
  const { abTest } = await detailOf(taskId);
  for (const each of abTest.variants) await end(each.taskId ?? '', 5);
  await decide(0);
  await Promise.all([decide(61), decide(61), decide(61)]);
  const { timeline } = await detailOf(taskId);
  assert.equal(timeline.filter(({ action }) => action === 'abDecide').length, 1);
});

test('killed while the variants are made: nothing of it is left, and the next start makes them', async () => {
  const taskId = await checked(100);
  await act(taskId, 'confirm');
  await assert.rejects(
    withTransaction(pool, async (tx) => {
      const [due] = await lockDueTasks(tx, 0);
      assert.ok(due?.hasVariants);
      await startAbTest(tx, due, 0);
      throw new Error('killed');
    }),
  );
  assert.equal((await detailOf(taskId)).abTest.startTime, null);
  await start();
  await prepare();
  const { abTest } = await detailOf(taskId);
  assert.equal((await sentTo(abTest.variants.map((each: { taskId: string }) => each.taskId))).length, 20);
});

test('killed between the decision and the start: the rest starts once, with the winner', async () => {
  const { taskId, variants } = await begun(100, { rule: 'manual' });
  for (const variant of variants) await end(variant, 5);
  await act(taskId, 'ab-test/decide', { winner: 1 });
  // Another process goes on from what is stored.
  const other = await world.jobs({ owner: crypto.randomUUID() });
  while (await startDueTasks(other));
  while (await prepareNextTask(other, { maxBatchesAhead: 100 }));
  await assertEachOnce([taskId, ...variants], 100);
});

test('cancelled during the test: the variants stop, the rest is not sent, the money is free', async () => {
  const { taskId, variants } = await begun(200, { delays: [0, 30] });
  await prepare();
  assert.equal((await act(taskId, 'cancel')).status, 200);
  const states = await Promise.all(variants.map(async (id) => (await detailOf(id)).taskStatus));
  assert.deepEqual(states, [TaskStatus.Terminated, TaskStatus.Cancelled]);
  await start();
  await prepare();
  assert.equal((await sentTo([taskId])).length, 0);
  assert.deepEqual(await reservedOf([taskId]), [0]);
  assert.equal((await act(taskId, 'ab-test/decide', { winner: 0 })).status, 409);
  assert.equal(await decide(600), false);
});

test('neither a test that has begun nor its variants are drafts again: someone would get two texts', async () => {
  const { taskId, variants } = await begun(100);
  for (const id of [taskId, ...variants]) {
    const answer = await ask('owner', `PATCH /tasks/${id}`, { body: { taskName: 'Again' } });
    assert.deepEqual([answer.status, answer.body.code], [409, 'TASK_TRANSITION']);
  }
});

test('taken back within the grace: a draft with its test, of which nothing was made', async () => {
  const taskId = await checked(100);
  assert.equal((await act(taskId, 'confirm', { graceSeconds: 10 })).status, 200);
  await start();
  assert.equal((await detailOf(taskId)).abTest.startTime, null);
  assert.equal((await ask('owner', `PATCH /tasks/${taskId}`, { body: { taskName: 'Back' } })).status, 200);
  const draft = await detailOf(taskId);
  assert.deepEqual([draft.taskStatus, draft.abTest.variants.length], [TaskStatus.Draft, 2]);
  const without = await ask('owner', `PATCH /tasks/${taskId}`, { body: { abTest: null } });
  assert.equal(without.body.abTest, null);
});

test('not enough money for the dearest outcome: not confirmed', async () => {
  const taskId = await checked(100);
  const { rows } = await pool.query('select sum(amount)::bigint as n from balance where customer_id = $1', [
    customerId,
  ]);
  const { rows: held } = await pool.query(
    `select coalesce(sum(amount), 0)::bigint as n from reservation where customer_id = $1 and released_at is null`,
    [customerId],
  );
  // Enough if the plain text won.
  const missing = Number(rows[0].n) - Number(held[0].n) - 150 * 3_500;
  await pool.query('update balance set amount = amount - $2 where customer_id = $1 and writer = 255', [
    customerId,
    missing,
  ]);
  const answer = await act(taskId, 'confirm');
  await pool.query('update balance set amount = amount + $2 where customer_id = $1 and writer = 255', [
    customerId,
    missing,
  ]);
  assert.deepEqual([answer.status, answer.body.code], [409, 'BALANCE_TOO_LOW']);
});

test('a template withdrawn before the decision is not sent to more people: a person is asked', async () => {
  const { taskId, variants } = await begun(1_000);
  await end(variants[0] ?? '', 10);
  await end(variants[1] ?? '', 90);
  await pool.query('update template set serving_version = null where template_id = $1', [long]);
  await decide(0);
  await decide(61);
  const answer = await act(taskId, 'ab-test/decide', { winner: 1 });
  await pool.query('update template set serving_version = 1 where template_id = $1', [long]);
  assert.equal((await detailOf(taskId)).statusReason, 'AB_UNDECIDED');
  assert.deepEqual([answer.status, answer.body.code], [409, 'TEMPLATE_NOT_SENDABLE']);
});

test('times compared: a variant starts later, and the rest at the next such time', async () => {
  const abTest = {
    ...planOf(),
    variants: [0, 90].map((delayMinutes) => ({ templateId: plain, share: 10, delayMinutes })),
  };
  const { body } = await create(await world.addFile(100), abTest);
  await check();
  await act(body.taskId, 'confirm');
  await start();
  const first = await detailOf(body.taskId);
  const ids: string[] = first.abTest.variants.map((each: { taskId: string }) => each.taskId);
  const states = await Promise.all(ids.map(async (id) => (await detailOf(id)).taskStatus));
  assert.deepEqual(states, [TaskStatus.Preparing, TaskStatus.Confirmed]);
  const later = Date.parse((await detailOf(ids[1] ?? '')).planTime);
  assert.equal(Math.round((later - Date.parse(first.abTest.startTime)) / 60_000), 90);
  await act(body.taskId, 'ab-test/decide', { winner: 1 });
  const rest = await detailOf(body.taskId);
  assert.equal(rest.planTime, (await detailOf(ids[1] ?? '')).planTime);
});

test('what may not be a test', async () => {
  const fileId = await world.addFile(10);
  const plan = planOf();
  const [a, b] = plan.variants;
  for (const abTest of [
    { ...plan, variants: [a] },
    { ...plan, variants: [a, a] },
    { ...plan, variants: [a, b, a, b, a] },
    {
      ...plan,
      variants: [
        { ...a, share: 60 },
        { ...b, share: 40 },
      ],
    },
    { ...plan, fallback: 2 },
    { ...plan, rule: 'luck' },
  ])
    assert.equal((await create(fileId, abTest)).status, 400);
  const clicks = await create(fileId, planOf({ rule: 'clicks' }));
  assert.deepEqual([clicks.status, clicks.body.code], [409, 'AB_NEEDS_LINK']);
  const marketing = await buildTemplate(pool, {
    customerId,
    appId,
    smsType: 3,
    content: 'Sale. Reply T to unsubscribe',
  });
  const mixed = await create(fileId, { ...plan, variants: [a, { ...b, templateId: marketing }] });
  assert.deepEqual([mixed.status, mixed.body.code], [409, 'TEMPLATE_TYPE_MISMATCH']);
  const unknown = await create(fileId, { ...plan, variants: [a, { ...b, templateId: crypto.randomUUID() }] });
  assert.deepEqual([unknown.status, unknown.body.code], [400, 'TEMPLATE_NOT_FOUND']);
});

test('other customers see nothing of it; a viewer reads and does not decide', async () => {
  const { taskId } = await begun(100);
  assert.equal((await ask('other', `GET /tasks/${taskId}/ab-test`)).status, 404);
  assert.equal((await ask('other', `POST /tasks/${taskId}/ab-test/decide`, { body: { winner: 0 } })).status, 404);
  assert.equal((await ask('viewer', `GET /tasks/${taskId}/ab-test`)).status, 200);
  assert.equal((await ask('viewer', `POST /tasks/${taskId}/ab-test/decide`, { body: { winner: 0 } })).status, 403);
  const wrong = await ask('owner', `POST /tasks/${taskId}/ab-test/decide`, { body: { winner: 3 } });
  assert.equal(wrong.status, 400);
});

test('a copy has the same test', async () => {
  const { taskId } = await begun(100, { shares: [15, 25] });
  const { body } = await act(taskId, 'copy', { taskName: 'Copy' });
  assert.deepEqual(
    body.abTest.variants.map((each: { share: number; taskId: unknown }) => [each.share, each.taskId]),
    [
      [15, null],
      [25, null],
    ],
  );
});
