/** Evidence of consent: recorded, looked up, withdrawn; and marketing that requires it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStatus } from '@pahatid/contract/enums';
import { buildTemplate } from '@pahatid/db/builders';
import { insertOptOut } from '@pahatid/db/queries/receipts';
import { makeTaskWorld, msisdnAt } from '../../http/testing/task-world.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { runNextImport } from '../../imports/run-next-import.ts';
import { apiFeatures } from '../../roles/api.ts';
import { findDifferences } from '../../verify/find-differences.ts';
import { options as all } from '../../verify/testing/agrees.ts';
import { checkNextTask } from '../tasks/check-next-task.ts';
import { prepareNextTask } from '../tasks/prepare-next-task.ts';
import { startDueTasks } from '../tasks/start-due-tasks.ts';

const api = await makeTestApi({ features: apiFeatures });
const { ask, customerId, appId } = api;
const { pool } = api.db;
const world = await makeTaskWorld(pool, customerId, appId);
const jobs = await world.jobs();
await pool.query(`update customer set review_policy = 'never'`);

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]).toString('base64');
const evidence = { source: 'paper', givenTime: '2026-03-01T02:00:00.000Z', wording: 'Yes, send me offers' };
const record = (mobileNumbers: string[], more: object = {}) =>
  ask('member', 'POST /consents', { body: { mobileNumbers, ...evidence, ...more } });
const listed = async (query: Record<string, string> = {}) =>
  (await ask('owner', 'GET /consents', { query: { limit: '200', ...query } })).body.items as Record<string, unknown>[];
const require = (consentRequired: boolean, who: 'owner' | 'member' = 'owner') =>
  ask(who, 'PATCH /marketing-policy', { body: { consentRequired } });

test('consents are recorded with source, time, text and file, and found by phone; other customers see none of them', async () => {
  const added = await record(['0919 555 0001', '639195550001', '5'], { file: { name: 'form.png', content: png } });
  assert.deepEqual(added.body, { addedCount: 1, keptCount: 1, rejected: [{ index: 2, reason: 'TOO_SHORT' }] });
  const [row, ...others] = await listed({ mobileNumber: '0919 555' });
  assert.equal(others.length, 0);
  assert.partialDeepStrictEqual(row, {
    mobileNumber: '639195550001',
    ...evidence,
    fileName: 'form.png',
    withdrawTime: null,
  });
  const path = `GET /consents/${row?.evidenceId}/file` as const;
  assert.deepEqual((await ask('owner', path)).body, { name: 'form.png', type: 'image/png', content: png });
  assert.equal((await ask('viewer', path)).status, 403);
  assert.equal((await ask('other', path)).status, 404);
  assert.deepEqual((await ask('other', 'GET /consents')).body.items, []);
  assert.match((await ask('viewer', 'GET /consents')).body.items[0].mobileNumber, /\*\*\*/);
  assert.equal((await record(['09195550001'])).body.addedCount, 0, 'the same time twice');
  assert.equal((await record(['09195550001'], { givenTime: '2999-01-01T00:00:00Z' })).status, 400);
  assert.equal((await record(['09195550001'], { file: { name: 'x.png', content: 'aGVsbG8=' } })).status, 400);
  const software = await ask(null, 'POST /consents', {
    body: { mobileNumbers: ['09195550009'], ...evidence, source: 'web' },
    headers: { authorization: api.basic.app },
  });
  assert.equal(software.status, 200, software.text);
  assert.deepEqual(
    (await listed({ source: 'web' })).map((each) => each.mobileNumber),
    ['639195550009'],
  );
});

test('a file of consents is imported with the time of each row; a time that cannot be read ends the import', async () => {
  const rows = [
    ['639195551001', '2026-02-03 14:05'],
    ['639195551002', ''],
  ] as const;
  const importOf = async (cells: readonly (readonly [string, string])[]) => {
    const fileId = await world.addFile(cells.length, (index) => ({
      msisdn: cells[index]![0],
      values: [cells[index]![1], 'x'],
    }));
    const body = { fileId, timeColumn: 1, ...evidence, source: 'import' };
    const started = await ask('member', 'POST /consents/import', { body });
    assert.equal(started.status, 202, started.text);
    while (await runNextImport(jobs));
    return (await ask('viewer', 'GET /consents/imports')).body.items[0];
  };
  const done = await importOf(rows);
  assert.deepEqual([done.kind, done.state, done.addedCount], ['consent', 'done', 2], done.error);
  const found = await listed({ mobileNumber: '0919 555 1' });
  assert.deepEqual(
    new Map(found.map((each) => [each.mobileNumber, each.givenTime])),
    new Map([
      ['639195551001', '2026-02-03T06:05:00.000Z'],
      ['639195551002', evidence.givenTime],
    ]),
  );
  assert.deepEqual((await importOf(rows)).keptCount, 2);
  const failed = await importOf([['639195551003', '31/02/2026']]);
  assert.deepEqual([failed.state, failed.error], ['fail', 'CONSENT_TIME_UNREADABLE']);
  assert.deepEqual((await ask('viewer', 'GET /opt-outs/imports')).body.items, [], 'lists of their own');
});

test('an opt-out, by reply or by hand, withdraws what was given before it; so does a user, with the reason', async () => {
  const [a, b, c] = ['639195552001', '639195552002', '639195552003'];
  await record([a, b, c]);
  await insertOptOut(pool, { customerId, msisdn: a, source: 'reply', evidence: 'STOP', at: new Date() });
  await ask('member', 'POST /opt-outs', { body: { mobileNumbers: [b] } });
  const withdraw = (who: 'member' | 'viewer' | 'other', mobileNumber: string) =>
    ask(who, 'POST /consents/withdraw', { body: { mobileNumber, reason: 'Asked by telephone' } });
  assert.equal((await withdraw('viewer', c)).status, 403);
  assert.equal((await withdraw('other', c)).status, 404);
  assert.equal((await withdraw('member', c)).status, 204);
  assert.equal((await withdraw('member', c)).status, 404);
  assert.deepEqual(await listed({ mobileNumber: '0919 555 2', state: 'inForce' }), []);
  assert.equal((await listed({ mobileNumber: '0919 555 2', state: 'withdrawn' })).length, 3);
  // Given before the opt-out, and recorded after it.
  await record([a], { givenTime: '2026-03-02T02:00:00.000Z' });
  assert.deepEqual(await listed({ mobileNumber: a, state: 'inForce' }), []);
});

test('only owners set whether consent is required', async () => {
  assert.deepEqual((await ask('viewer', 'GET /marketing-policy')).body, { consentRequired: false });
  assert.equal((await require(true, 'member')).status, 403);
  assert.deepEqual((await require(true)).body, { consentRequired: true });
  assert.deepEqual((await ask('other', 'GET /marketing-policy')).body, { consentRequired: false });
  assert.deepEqual((await require(false)).body, { consentRequired: false });
});

const marketing = { smsType: 3, content: 'Sale, {1}! Reply T to unsubscribe' } as const;

test('where consent is required, a task leaves out recipients without it, counted apart from opt-outs, until its start', async () => {
  const templateId = await buildTemplate(pool, { customerId, appId, ...marketing });
  await record([0, 1, 2, 3].map(msisdnAt));
  await ask('member', 'POST /opt-outs', { body: { mobileNumbers: [msisdnAt(3)] } });
  await require(true);
  const fileId = await world.addFile(6);
  const query = { fileId, templateId, smsType: '3' };
  const { body: before } = await ask('member', 'GET /tasks/estimate', { query });
  assert.deepEqual([before.recipients, before.optedOutCount, before.noConsentCount, before.rowCount], [3, 1, 2, 6]);
  const taskId = await world.addTask({ taskStatus: TaskStatus.Initialized, fileId, templateId, ...marketing });
  await checkNextTask(jobs);
  const detail = async () => (await ask('owner', `GET /tasks/${taskId}`)).body;
  assert.partialDeepStrictEqual(await detail(), { totalCount: 3, noConsentCount: 2, droppedCount: 0 });
  const { body: checked } = await ask('viewer', `GET /tasks/${taskId}/estimate`);
  assert.deepEqual([checked.recipients, checked.optedOutCount, checked.noConsentCount], [3, 1, 2]);
  assert.equal((await ask('owner', `POST /tasks/${taskId}/confirm`)).status, 200);
  await ask('member', 'POST /consents/withdraw', { body: { mobileNumber: msisdnAt(0), reason: 'x' } });
  await startDueTasks(jobs);
  while (await prepareNextTask(jobs));
  assert.partialDeepStrictEqual(await detail(), { totalCount: 2, noConsentCount: 3 });
  const { rows } = await pool.query('select msisdn from message where task_id is not null order by msisdn');
  assert.deepEqual(rows.map((row) => row.msisdn).toSorted(), [1, 2].map(msisdnAt).toSorted());
  const { differences } = await findDifferences(pool, all);
  assert.deepEqual(
    differences.filter((each) => each.check === 'taskTotal'),
    [],
  );
  // A notification needs none.
  const notice = await world.addTask({ taskStatus: TaskStatus.Initialized, fileId });
  await checkNextTask(jobs);
  assert.equal((await ask('owner', `GET /tasks/${notice}`)).body.totalCount, 6);
  await require(false);
});

test('where consent is required, marketing of software is refused without it; an opt-out is said first', async () => {
  const send = (to: string, more: object = {}) =>
    ask(null, 'POST /messages', {
      body: { to, senderId: world.senderId, smsType: 3, content: 'Big sale. Reply T to unsubscribe', ...more },
      headers: { authorization: api.basic.app },
    });
  const [given, none, out] = ['639175553001', '639175553002', '639175553003'];
  await record([given]);
  await ask('member', 'POST /opt-outs', { body: { mobileNumbers: [out] } });
  assert.equal((await send(none)).status, 202);
  await require(true);
  assert.equal((await send(given)).status, 202);
  const refused = await send(none);
  assert.deepEqual([refused.status, refused.body.code], [409, 'CONSENT_MISSING']);
  assert.equal((await send(out)).body.code, 'RECIPIENT_OPTED_OUT');
  assert.equal((await send(none, { smsType: 2, content: 'Your order is ready' })).status, 202);
  await require(false);
});
