/** Links in messages: sending by tasks and applications, retries, retention and erasure. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStatus } from '@pahatid/contract/enums';
import { many, sql } from '@pahatid/db';
import { buildTemplate, defaultPassword } from '@pahatid/db/builders';
import { useNumberHash } from '@pahatid/db/queries/erased-opt-outs';
import { listOutcome } from '@pahatid/db/queries/task-outcomes';
import { countSegments } from '@pahatid/domain';
import { deleteExpired } from '../features/privacy/delete-expired.ts';
import { finishErasures } from '../features/privacy/finish-erasures.ts';
import { judgeClicks } from '../features/short-links/judge-clicks.ts';
import { checkNextTask } from '../features/tasks/check-next-task.ts';
import { prepareNextTask } from '../features/tasks/prepare-next-task.ts';
import { makeTaskWorld, sendAll } from '../http/testing/task-world.ts';
import { makeTestApi } from '../http/testing/test-api.ts';
import { assertAgrees } from '../verify/testing/agrees.ts';
import { apiFeatures } from './api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
// Which links wait for a reviewer is another test's matter.
await pool.query(`update customer set link_review = 'never'`);
const { customerId, appId } = api;
useNumberHash(api.deps.secrets.hashNumber);
const world = await makeTaskWorld(pool, customerId, appId);
const jobs = await world.jobs();

interface Sent {
  id: string;
  msisdn: string;
  content: string;
  pkg: number;
  code: string | null;
}
const addLink = async (change: object = {}) => {
  const body = { linkName: 'Sale', targetUrl: 'https://shop.example.com/', mode: 'perRecipient', ...change };
  const answer = await api.ask('owner', 'POST /short-links', { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body as { linkId: string; code: string; shortUrl: string; domain: string };
};
const sentBy = (taskId: string): Promise<Sent[]> =>
  many(
    pool,
    sql<Sent>`select m.message_id::text as id, m.msisdn, m.content, m.pkg_total as pkg, k.code from message m
      left join link_code k on k.customer_id = m.customer_id and k.message_id = m.message_id
      where m.task_id = ${taskId} and not m.superseded order by m.message_id`,
  );
/** A task as the check freezes it, prepared to its end. */
const prepare = async (content: string, recipients = 5): Promise<string> => {
  const fileId = await world.addFile(recipients);
  const taskId = await world.addTask({ taskStatus: TaskStatus.Preparing, fileId, content, totalCount: recipients });
  while (await prepareNextTask(jobs));
  return taskId;
};
const click = (code: string) =>
  api.app.inject({
    method: 'GET',
    url: `/s/${code}`,
    headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36' },
  });
const judge = async (offsetMs = 60_000) => {
  while (await judgeClicks({ ...jobs, offsetMs }));
};

test('each message of a task has a unique code of equal length, and its segment count stays the same', async () => {
  const link = await addLink();
  // Two characters below the end of the first segment: one more would cost every recipient another one.
  const text = `${link.domain}/s/${link.code} for you {1}`;
  const content = text + 'x'.repeat(160 - 'Name 0'.length - (text.length - 3));
  const taskId = await prepare(content);
  const sent = await sentBy(taskId);
  assert.equal(sent.length, 5);
  assert.equal(new Set(sent.map(({ code }) => code)).size, 5);
  for (const { content: received, code, pkg } of sent) {
    assert.ok(code !== null && received.includes(`${link.domain}/s/${code} `), received);
    assert.ok(!received.includes(link.code));
    assert.equal(received.length, 160);
    assert.deepEqual([pkg, countSegments(received).segments], [1, 1]);
  }
  const { body } = await api.ask('owner', `GET /short-links/${link.linkId}`);
  assert.equal(body.taskCount, 1);
  await assertAgrees(pool);
});

test('a link for all, another domain’s and another customer’s stay as they are written', async () => {
  const shared = await addLink({ mode: 'shared' });
  const { body: theirs } = await api.ask('other', 'POST /short-links', {
    body: { linkName: 'T', targetUrl: 'https://e.ph/', mode: 'perRecipient' },
  });
  const own = await addLink();
  const content = `${shared.shortUrl} ${theirs.shortUrl} elsewhere.ph/s/${own.code} ${shared.domain}/s/${shared.code}`;
  const taskId = await prepare(content, 3);
  for (const { content: received, code } of await sentBy(taskId)) {
    assert.equal(received, content);
    assert.equal(code, null);
  }
  const { body } = await api.ask('owner', `GET /short-links/${shared.linkId}`);
  assert.equal(body.taskCount, 1);
});

test('a text with two links gets two codes, and each of them leads to its own target', async () => {
  const [one, two] = [await addLink(), await addLink({ targetUrl: 'https://shop.example.com/two' })];
  const taskId = await prepare(`${one.shortUrl} or ${two.shortUrl}`, 2);
  const rows = await sentBy(taskId);
  assert.equal(rows.length, 4, 'a row for each message and code');
  const targets = await Promise.all(rows.map(async ({ code }) => (await click(code ?? '')).headers.location));
  assert.deepEqual(targets.sort(), [
    ...['https://shop.example.com/', 'https://shop.example.com/'],
    ...['https://shop.example.com/two', 'https://shop.example.com/two'],
  ]);
});

test('the same link twice in a text has one code: opening both counts as one click', async () => {
  const link = await addLink();
  const taskId = await prepare(`${link.shortUrl} or ${link.domain}/s/${link.code}`, 2);
  const rows = await sentBy(taskId);
  assert.equal(rows.length, 2, 'a row for each message');
  for (const { content, code } of rows)
    assert.equal(content, `${link.shortUrl} or ${link.domain}/s/${link.code}`.replaceAll(link.code, code ?? ''));
});

test('a retry sends the recipient’s own code again, and its clicks belong to the message that arrived', async () => {
  const link = await addLink();
  const taskId = await prepare(`Now: ${link.shortUrl}`, 2);
  const before = await sentBy(taskId);
  await sendAll(pool, taskId, () => 'failed');
  await pool.query(
    `update task set task_status = 4, retry_count = 1, retry_cursor = 0, prepared = false, retry_what = 'failed' where task_id = $1`,
    [taskId],
  );
  while (await prepareNextTask(jobs));
  const after = await sentBy(taskId);
  assert.deepEqual(
    after.map(({ content, code }) => [content, code]).sort(),
    before.map(({ content, code }) => [content, code]).sort(),
  );
  assert.notDeepEqual(after.map(({ id }) => id).sort(), before.map(({ id }) => id).sort());
});

test('software that sends the text of a template by HTTP gets a code for each message as well', async () => {
  const link = await addLink();
  const templateId = await buildTemplate(pool, {
    customerId,
    appId,
    templateName: 'Link',
    smsType: 2,
    content: `Open ${link.shortUrl} please`,
    createdBy: api.users.owner.userId,
  });
  const messages = ['639171110001', '639171110002'].map((to) => ({
    to,
    templateId,
    variables: [],
    senderId: world.senderId,
  }));
  const { status, body, text } = await api.ask(null, 'POST /messages', {
    body: { messages },
    headers: { authorization: api.basic.app },
  });
  assert.equal(status, 202, text);
  const ids = body.messages.map((each: { messageId: string }) => each.messageId);
  const rows = await many(
    pool,
    sql<{
      content: string;
      code: string;
    }>`select m.content, k.code from message m join link_code k on k.message_id = m.message_id
      where m.message_id = any(${ids}::bigint[])`,
  );
  assert.equal(new Set(rows.map((row) => row.code)).size, 2);
  for (const row of rows) assert.equal(row.content, `Open ${link.shortUrl.replace(link.code, row.code)} please`);
});

test('a task with a dead link fails its check with that reason; a link with pending messages is not deleted', async () => {
  const link = await addLink();
  const templateId = await buildTemplate(pool, {
    customerId,
    appId,
    templateName: 'Dead',
    smsType: 2,
    content: `Open ${link.shortUrl} {1} {2}`,
    createdBy: api.users.owner.userId,
  });
  const waiting = await world.addTask({ taskStatus: TaskStatus.Initialized, templateId });
  const refused = await api.ask('owner', `DELETE /short-links/${link.linkId}`);
  assert.deepEqual([refused.status, refused.body.code], [409, 'LINK_IN_USE']);
  await api.ask('owner', `PATCH /short-links/${link.linkId}`, { body: { version: 1, useState: 0 } });
  assert.equal(await checkNextTask(jobs), true);
  const { rows } = await pool.query('select task_status, status_reason from task where task_id = $1', [waiting]);
  assert.deepEqual(rows, [{ task_status: TaskStatus.Failed, status_reason: 'LINK_NOT_USABLE' }]);
  assert.equal((await api.ask('owner', `DELETE /short-links/${link.linkId}`)).status, 204);
});

test('a group can be created from the task recipients that clicked', async () => {
  const link = await addLink();
  const taskId = await prepare(`Group ${link.shortUrl}`, 4);
  const sent = await sentBy(taskId);
  await pool.query(
    `update message set send_status = 3, client_status = 2, report_at = now() - interval '1 minute' where task_id = $1`,
    [taskId],
  );
  await click(sent[1]?.code ?? '');
  await click(sent[2]?.code ?? '');
  await judge();
  const found = await listOutcome(pool, { customerId, taskId, outcomes: ['clicked'], after: '0', batches: 10 });
  assert.deepEqual(found.msisdns.sort(), [sent[1]?.msisdn, sent[2]?.msisdn].sort());
});

test('S58 the clicks of one number come out, and go when it is erased; counts stay', async () => {
  const link = await addLink();
  const taskId = await prepare(`See ${link.shortUrl}`, 1);
  const [sent] = await sentBy(taskId);
  await pool.query(
    `update message set send_status = 3, client_status = 2, report_at = now() - interval '1 minute' where message_id = $1`,
    [sent?.id],
  );
  await pool.query('update batch set state = 2, success_count = 1 where task_id = $1', [taskId]);
  await click(sent?.code ?? '');
  await judge();
  const mobileNumber = `+${sent?.msisdn}`;
  const ask = (what: string, body: object = {}) =>
    api.ask('owner', `POST /privacy/${customerId}/${what}`, { body: { mobileNumber, ...body } });
  assert.ok((await ask('find')).body.clickCount >= 1);
  const { body: held } = await ask('export');
  const mine = held.clicks.filter((each: { messageId: string }) => each.messageId === sent?.id);
  assert.deepEqual(
    mine.map((each: { linkName: string; os: string; verdict: string }) => [each.linkName, each.os, each.verdict]),
    [['Sale', 'Android', 'human']],
  );
  const erased = await ask('erase', { currentPassword: defaultPassword });
  assert.equal(erased.status, 200, erased.text);
  await finishErasures({ ...jobs, offsetMs: 120_000 }, api.deps.secrets);
  assert.equal((await many(pool, sql`select 1 from link_click where code = ${sent?.code}`)).length, 0);
  assert.deepEqual(await many(pool, sql`select message_id from link_code where code = ${sent?.code}`), [
    { message_id: null },
  ]);
  const { body: after } = await api.ask('owner', `GET /short-links/${link.linkId}`);
  assert.deepEqual([after.clickCount, after.recipientCount], [1, 1]);
  assert.equal((await click(sent?.code ?? '')).statusCode, 302);
});

test('with records past their time clicks and codes go; a link that still leads somewhere leads on', async () => {
  const [open, ended] = [
    await addLink({ expireTime: new Date(Date.now() + 1_000 * 86_400_000).toISOString() }),
    await addLink(),
  ];
  const tasks = [await prepare(`${open.shortUrl}`, 1), await prepare(`${ended.shortUrl}`, 1)];
  const codes = (await Promise.all(tasks.map(sentBy))).map(([row]) => row?.code ?? '');
  for (const code of codes) await click(code);
  await judge(700_000);
  await pool.query('update batch set state = 2');
  const days = 200 * 86_400_000;
  for (let step = 0; step < 60; step++)
    if ((await deleteExpired({ ...jobs, offsetMs: days + step })) === null && step > 5) break;
  const left = await many(pool, sql<{ code: string }>`select code from link_code where code = any(${codes}::text[])`);
  assert.deepEqual(left, [{ code: codes[0] }]);
  assert.equal((await many(pool, sql`select 1 from link_click where code = any(${codes}::text[])`)).length, 0);
  assert.equal((await api.ask('owner', `GET /short-links/${open.linkId}`)).body.clickCount, 1);
  assert.equal((await click(codes[0] ?? '')).statusCode, 302);
});
