/** Countries that an application may send to: the Philippines, and those that staff opened at a price. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { TaskStatus } from '@pahatid/contract/enums';
import { buildApplication, buildGroup, buildSender, buildTemplate } from '@pahatid/db/builders';
import { until } from '@pahatid/testkit';
import { makeTaskWorld, msisdnAt } from '../../http/testing/task-world.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';
import { checkNextTask } from '../tasks/check-next-task.ts';
import { prepareNextTask } from '../tasks/prepare-next-task.ts';
import { startDueTasks } from '../tasks/start-due-tasks.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const { customerId, appId } = api;
const world = await makeTaskWorld(pool, customerId, appId);
const path = `/customers/${customerId}/applications/${appId}`;
const us = '14155552671';
const ng = '2348031234567';

const post = (body: object) => api.ask(null, 'POST /messages', { body, headers: { authorization: api.basic.app } });
const code = { smsType: 1, content: 'Your code is 123456.' };
const open = (countries: readonly string[]) => api.ask('admin', `PATCH ${path}`, { body: { countries } });
const setPrice = async (areaCode: string, more: object = {}) => {
  const body = { areaCode, carrier: null, smsType: null, customerId: null, price: 40_000, ...more };
  const answer = await api.ask('admin', 'POST /prices', { body });
  assert.equal(answer.status, 201, answer.text);
};

before(async () => {
  // Prices of other countries are far from the default: one user may set them here.
  await pool.query('update approval_limit set price = 10000000');
  await buildSender(pool, { customerId, appId, senderId: 'ABROAD' });
});

test('an application sends to the Philippines alone until staff open another country', async () => {
  const refused = await post({ to: `+${us}`, ...code });
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.params],
    [409, 'COUNTRY_NOT_OPEN', { areaCode: 'US' }],
  );
  const many = await post({ messages: [`+${ng}`, '09171234567', `+${us}`].map((to) => ({ to, ...code })) });
  assert.equal(many.status, 202, many.text);
  assert.deepEqual([many.body.acceptedCount, many.body.refusedCount], [1, 2]);
  assert.deepEqual(many.body.messages[0].error, { code: 'COUNTRY_NOT_OPEN', params: { areaCode: 'NG' } });
  const { rows } = await pool.query(`select 1 from message where msisdn = any($1)`, [[us, ng]]);
  assert.equal(rows.length, 0);
});

test('a country without a price for every type of message is not opened', async () => {
  for (const prepare of [
    async () => undefined,
    // A price of one carrier or of one type leaves messages without any.
    () => setPrice('US', { carrier: 'Verizon' }),
    () => setPrice('US', { smsType: 1 }),
    () => setPrice('US', { customerId: api.otherCustomerId }),
  ]) {
    await prepare();
    const answer = await open(['PH', 'US']);
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.params],
      [409, 'COUNTRY_WITHOUT_PRICE', { areaCode: 'US' }],
    );
  }
  assert.equal((await open(['PH', 'us'])).status, 400);
  assert.equal((await open([])).status, 400);
  assert.equal((await post({ to: `+${us}`, ...code })).body.code, 'COUNTRY_NOT_OPEN');
});

test('staff open a country for one application, at its price, audited; its customer sees it', async () => {
  await setPrice('US');
  const opened = await open(['PH', 'US']);
  assert.equal(opened.status, 200, opened.text);
  assert.deepEqual(opened.body.countries, ['PH', 'US']);
  const sent = await until(async () => {
    const answer = await post({ to: `+${us}`, ...code });
    return answer.status === 202 && answer.body.messageId;
  });
  const { rows } = await pool.query(`select area_code, price from message where message_id = $1`, [sent]);
  assert.deepEqual({ ...rows[0] }, { area_code: 'US', price: 40_000 });
  for (const who of ['owner', 'viewer', 'admin'] as const) {
    const { body } = await api.ask(who, `GET /applications/${appId}`);
    assert.deepEqual(body.countries, ['PH', 'US'], who);
  }
  const other = await api.ask('other', `GET /applications/${api.otherAppId}`);
  assert.deepEqual(other.body.countries, ['PH']);
  const { body: customer } = await api.ask('reviewer', `GET /customers/${customerId}`);
  assert.deepEqual(customer.applications.find((each: { appId: string }) => each.appId === appId).countries, [
    'PH',
    'US',
  ]);
  const { rows: audit } = await pool.query(
    `select before -> 'countries' as before, after -> 'countries' as after from audit_log
     where subject_type = 'application' and subject_id = $1 order by audit_id desc limit 1`,
    [appId],
  );
  assert.deepEqual({ ...audit[0] }, { before: ['PH'], after: ['PH', 'US'] });
  // Another application of the same customer is its own.
  const credentials = { appSecret: 'second-secret', smppPassword: 'secondpw', secrets: api.deps.secrets };
  const second = await buildApplication(pool, { customerId, credentials });
  await buildSender(pool, { customerId, appId: second, senderId: 'SECOND' });
  const authorization = `Basic ${Buffer.from(`${second}:second-secret`).toString('base64')}`;
  const foreign = await api.ask(null, 'POST /messages', {
    body: { to: `+${us}`, ...code },
    headers: { authorization },
  });
  assert.equal(foreign.body.code, 'COUNTRY_NOT_OPEN');
});

test('only an admin opens a country', async () => {
  const body = { countries: ['PH'] };
  for (const [who, status] of [
    ['reviewer', 403],
    ['operator', 403],
    ['owner', 404],
    ['other', 404],
  ] as const)
    assert.equal((await api.ask(who, `PATCH ${path}`, { body })).status, status, who);
  const own = await api.ask('owner', `PATCH /applications/${appId}`, { body: { countries: ['PH', 'NG'] } });
  assert.equal(own.status, 400);
});

const create = async (fileId: string): Promise<string> => {
  const { templateId, senderId } = world;
  const body = { taskName: 'Abroad', appId, smsType: 2, templateId, senderId, fileId };
  const answer = await api.ask('owner', 'POST /tasks', { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.taskId;
};

test('a task leaves out numbers of countries that are not open, each with that reason', async () => {
  await open(['PH', 'US']);
  const numbers = [msisdnAt(0), us, ng];
  const fileId = await world.addFile(3, (i) => ({ msisdn: numbers[i]!, values: ['Ana', '1'] }));
  const taskId = await create(fileId);
  assert.equal(await checkNextTask(await world.jobs()), true);
  const { body } = await api.ask('owner', `GET /tasks/${taskId}`);
  assert.deepEqual([body.taskStatus, body.totalCount, body.droppedCount], [2, 2, 1]);
  const english = await api.ask('owner', `GET /tasks/${taskId}/rejects`, { query: { lang: 'en-US' } });
  assert.match(english.text, new RegExp(`${ng},COUNTRY_NOT_OPEN,The application may not send to this country`));
  const chinese = await api.ask('owner', `GET /tasks/${taskId}/rejects`, { query: { lang: 'zh-CN' } });
  assert.match(chinese.text, /该应用未开通发往此国家或地区/);
});

test('a task to a group leaves them out too', async () => {
  await open(['PH']);
  const groupId = await buildGroup(pool, { customerId, members: [{ msisdn: msisdnAt(1) }, { msisdn: ng }] });
  const templateId = await buildTemplate(pool, { customerId, appId, content: 'We are open today.' });
  const body = { taskName: 'Abroad', appId, smsType: 2, templateId, senderId: world.senderId, groupIds: [groupId] };
  const created = await api.ask('owner', 'POST /tasks', { body });
  assert.equal(created.status, 201, created.text);
  assert.equal(await checkNextTask(await world.jobs()), true);
  const { taskId } = created.body;
  const { body: task } = await api.ask('owner', `GET /tasks/${taskId}`);
  assert.deepEqual([task.taskStatus, task.totalCount, task.droppedCount], [2, 1, 1]);
  assert.match((await api.ask('owner', `GET /tasks/${taskId}/rejects`)).text, new RegExp(`${ng},COUNTRY_NOT_OPEN,`));
});

test('a country closed after the check is not sent to: its recipients end blocked, uncharged', async () => {
  await open(['PH', 'US']);
  const numbers = [msisdnAt(0), us];
  const fileId = await world.addFile(2, (i) => ({ msisdn: numbers[i]!, values: ['Ana', '1'] }));
  const taskId = await create(fileId);
  const context = await world.jobs();
  assert.equal(await checkNextTask(context), true);
  assert.equal((await api.ask('owner', `POST /tasks/${taskId}/confirm`)).status, 200);
  await open(['PH']);
  const later = await world.jobs();
  await startDueTasks(later);
  while (await prepareNextTask(later, { maxBatchesAhead: 10_000 }));
  const { rows } = await pool.query(
    `select msisdn, send_status, client_status, deal_result from message where task_id = $1 order by msisdn`,
    [taskId],
  );
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      { msisdn: us, send_status: 2, client_status: 7, deal_result: 'BLOCKED_COUNTRY' },
      { msisdn: msisdnAt(0), send_status: 0, client_status: 0, deal_result: null },
    ],
  );
});

test('a test message goes to no country that is not open', async () => {
  await open(['PH']);
  const taskId = await world.addTask({ taskStatus: TaskStatus.Draft });
  const answer = await api.ask('owner', `POST /tasks/${taskId}/test`, {
    body: { mobileNumber: `+${us}`, variables: ['Ana', '1'] },
  });
  assert.deepEqual(
    [answer.status, answer.body.code, answer.body.params],
    [409, 'COUNTRY_NOT_OPEN', { areaCode: 'US' }],
  );
});

test('an open country without a price is not sent to at the domestic price', async () => {
  await open(['PH', 'US']);
  await pool.query(`delete from price where area_code = 'US'`);
  await pool.query(`select pg_notify('pahatid_routing', '')`);
  await until(async () => (await post({ to: `+${us}`, ...code })).body.code === 'COUNTRY_NOT_OPEN');
});
