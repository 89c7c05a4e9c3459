/** Links that a carrier has not allowed for the sender ID: shown before a task is confirmed, and left out with their carrier. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStatus } from '@pahatid/contract/enums';
import { uuidV7 } from '@pahatid/db';
import { buildTemplate } from '@pahatid/db/builders';
import { makeTaskWorld, msisdnAt } from '../../http/testing/task-world.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';
import { findDifferences } from '../../verify/find-differences.ts';
import { options as all } from '../../verify/testing/agrees.ts';
import { checkNextTask } from './check-next-task.ts';
import { prepareNextTask } from './prepare-next-task.ts';
import { startDueTasks } from './start-due-tasks.ts';

const api = await makeTestApi({ features: apiFeatures });
const { ask, customerId, appId } = api;
const { pool } = api.db;
const world = await makeTaskWorld(pool, customerId, appId);
const jobs = await world.jobs();
await pool.query(`update customer set review_policy = 'never'`);

const content = 'Sale, {1}! See https://go.sarisari.ph/sale for order {2}.';
const templateId = await buildTemplate(pool, { customerId, appId, content });

/** A dossier whose approval holds until the day, with the domains that its carrier allows. */
const addDossier = async (carrier: string, until: string | null, domains: string[]) => {
  const dossierId = uuidV7();
  await pool.query(
    `insert into sender_dossier (dossier_id, customer_id, app_id, sender_key, carrier, state, changed_at, approved_until)
     select $1, customer_id, app_id, id, $2, case when $3::date is null then 'sent' else 'approved' end, now(), $3
     from sender where customer_id = $4 and sender_id = $5`,
    [dossierId, carrier, until, customerId, world.senderId],
  );
  await pool.query(
    `insert into sender_domain (customer_id, dossier_id, app_id, sender_key, carrier, domain, state, asked_at)
     select d.customer_id, d.dossier_id, d.app_id, d.sender_key, d.carrier, domain, 'allowed', now()
     from sender_dossier d, unnest($2::text[]) as domain where d.dossier_id = $1`,
    [dossierId, domains],
  );
};
const checked = async (more: object = {}) => {
  const fileId = await world.addFile(9);
  const taskId = await world.addTask({ taskStatus: TaskStatus.Initialized, fileId, templateId, content, ...more });
  await checkNextTask(jobs);
  return taskId;
};
const figuresOf = async (taskId: string) => (await ask('member', `GET /tasks/${taskId}/estimate`)).body;

test('carriers whose dossier does not allow the domain are named with their recipients; without a dossier none is', async () => {
  const taskId = await checked();
  assert.deepEqual((await figuresOf(taskId)).blockedLinks, []);
  await addDossier('Globe', '2999-01-01', ['sarisarimart.ph']);
  await addDossier('Smart', '2999-01-01', ['sarisari.ph']);
  // What a carrier that has not answered yet passes is not known.
  await addDossier('DITO', null, []);
  const [{ id: senderKey }] = (await pool.query('select id from sender where sender_id = $1', [world.senderId])).rows;
  const blocked = [{ carrier: 'Globe', senderKey, domains: ['go.sarisari.ph'], recipients: 3 }];
  assert.deepEqual((await figuresOf(taskId)).blockedLinks, blocked);
  const plain = await world.addTask({ taskStatus: TaskStatus.Initialized });
  await checkNextTask(jobs);
  assert.deepEqual((await figuresOf(plain)).blockedLinks, [], 'a text without a link');
  // An approval that ended allows nothing.
  await pool.query(`update sender_dossier set approved_until = '2020-01-01' where carrier = 'Smart'`);
  assert.deepEqual(
    (await figuresOf(taskId)).blockedLinks.map((one: { carrier: string }) => one.carrier),
    ['Globe', 'Smart'],
  );
});

test('recipients of a carrier that is left out are counted apart, cost nothing, and are not sent to', async () => {
  const taskId = await checked();
  const leaveOut = (who: 'member' | 'viewer' | 'other', leaveOutCarriers: string[]) =>
    ask(who, `PATCH /tasks/${taskId}`, { body: { leaveOutCarriers } });
  assert.equal((await leaveOut('viewer', ['Globe'])).status, 403);
  assert.equal((await leaveOut('other', ['Globe'])).status, 404);
  assert.equal((await leaveOut('member', ['Nobody'])).status, 400);
  const before = await figuresOf(taskId);
  assert.equal((await leaveOut('member', ['Globe'])).status, 200);
  assert.equal((await ask('member', `POST /tasks/${taskId}/submit`)).status, 200);
  await checkNextTask(jobs);
  const after = await figuresOf(taskId);
  assert.deepEqual([after.recipients, after.leftOutCount, after.rowCount], [6, 3, 9]);
  assert.equal(after.cost, (before.cost * 2) / 3);
  assert.ok(after.blockedLinks.every((one: { carrier: string }) => one.carrier !== 'Globe'));
  const detail = async () => (await ask('viewer', `GET /tasks/${taskId}`)).body;
  assert.partialDeepStrictEqual(await detail(), { totalCount: 6, leaveOutCarriers: ['Globe'], leftOutCount: 3 });
  assert.equal((await ask('member', `POST /tasks/${taskId}/confirm`)).status, 200);
  await startDueTasks(jobs);
  while (await prepareNextTask(jobs));
  assert.partialDeepStrictEqual(await detail(), { totalCount: 6, leftOutCount: 3 });
  const { rows } = await pool.query('select msisdn from message where task_id is not null');
  const expected = [1, 2, 4, 5, 7, 8].map(msisdnAt);
  assert.deepEqual(new Set(rows.map((row) => row.msisdn)), new Set(expected));
  const { differences } = await findDifferences(pool, all);
  assert.deepEqual(
    differences.filter((each) => each.check === 'taskTotal'),
    [],
  );
  const copy = await ask('member', `POST /tasks/${taskId}/copy`, { body: { taskName: 'Again' } });
  assert.deepEqual((await ask('member', `GET /tasks/${copy.body.taskId}`)).body.leaveOutCarriers, []);
});
