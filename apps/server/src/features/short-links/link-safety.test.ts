/** S75 Short links as phishing: first use of a domain is reviewed, and staff close a link or a domain for everybody. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uuidV7 } from '@pahatid/db';
import { buildTemplate } from '@pahatid/db/builders';
import { linkHost, linkNeedsReview, readLinkDomain } from '@pahatid/domain';
import { makeTaskWorld } from '../../http/testing/task-world.ts';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';
import { checkNextTask } from '../tasks/check-next-task.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const { customerId, appId } = api;
const world = await makeTaskWorld(pool, customerId, appId);

const add = async (targetUrl: string, more: object = {}, who: Who = 'owner') => {
  const body = { linkName: 'Offer', targetUrl, mode: 'shared', ...more };
  const answer = await api.ask(who, 'POST /short-links', { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
};
const visit = async (code: string) => {
  const { statusCode, headers } = await api.app.inject({ method: 'GET', url: `/s/${code}` });
  return [statusCode, headers.location];
};
const read = async (linkId: string) => (await api.ask('owner', `GET /short-links/${linkId}`)).body;
const approve = (linkId: string) => api.ask('reviewer', `POST /reviews/links/${linkId}/approve`, { body: {} });
const report = (code: string, message: string, remoteAddress = '203.0.113.9') =>
  api.app.inject({
    method: 'POST',
    url: `/s/${code}`,
    remoteAddress,
    payload: new URLSearchParams({ message }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

test('a host is compared without www and without its last dot; a policy decides which links wait', () => {
  assert.equal(linkHost('https://WWW.Shop.example./a'), 'shop.example');
  const used = new Set(['shop.example']);
  assert.equal(linkNeedsReview('firstUse', ['shop.example'], used), false);
  assert.equal(linkNeedsReview('firstUse', ['shop.example', 'other.example'], used), true);
  assert.equal(linkNeedsReview('always', ['shop.example'], used), true);
  assert.equal(linkNeedsReview('never', ['other.example'], used), false);
  assert.deepEqual(['https://www.Evil.example/a', 'evil.example', 'evil', ''].map(readLinkDomain), [
    'evil.example',
    'evil.example',
    null,
    null,
  ]);
});

test('S75 the first link to a domain waits for a reviewer, leads nowhere until then, and is followed after it', async () => {
  const link = await add('https://phish.example.com/login');
  assert.deepEqual([link.linkState, link.auditStatus], ['pending', 0]);
  assert.deepEqual(await visit(link.code), [404, undefined]);
  const queue = await api.ask('reviewer', 'GET /reviews', { query: { kind: 'link' } });
  const item = queue.body.items.find((each: { id: string }) => each.id === link.linkId);
  assert.partialDeepStrictEqual(item, { kind: 'link', title: 'Offer', content: 'https://phish.example.com/login' });
  assert.equal((await api.ask('reviewer', `GET /reviews/links/${link.linkId}`)).status, 200);
  assert.equal((await approve(link.linkId)).status, 204);
  api.advance(4_000);
  assert.equal((await read(link.linkId)).linkState, 'active');
  assert.deepEqual(await visit(link.code), [302, 'https://phish.example.com/login']);
  // The domain is known now, with www too; another one, or another's, is not.
  assert.equal((await add('https://www.phish.example.com/other')).linkState, 'active');
  assert.equal(
    (await add('https://phish.example.com/x', { fallbackUrl: 'https://new.example.com/' })).linkState,
    'pending',
  );
  assert.equal((await add('https://phish.example.com/', {}, 'other')).linkState, 'pending');
  // A known link that is led elsewhere waits again.
  const { version } = await read(link.linkId);
  const moved = await api.ask('owner', `PATCH /short-links/${link.linkId}`, {
    body: { version, targetUrl: 'https://elsewhere.example.com/' },
  });
  assert.deepEqual([moved.status, moved.body.linkState], [200, 'pending']);
});

test('a rejected link has a reason; policies of the customer apply', async () => {
  const link = await add('https://casino.example.com/');
  const refusal = { reasonCode: 'LINK_UNSAFE', reason: 'Gambling' };
  const refused = await api.ask('reviewer', `POST /reviews/links/${link.linkId}/reject`, { body: refusal });
  assert.equal(refused.status, 204, refused.text);
  assert.partialDeepStrictEqual(await read(link.linkId), {
    linkState: 'rejected',
    auditStatus: 2,
    auditCode: 'LINK_UNSAFE',
    auditReason: 'Gambling',
  });
  assert.deepEqual(await visit(link.code), [404, undefined]);
  assert.equal((await approve(link.linkId)).body.code, 'ALREADY_REVIEWED');
  const set = async (linkReview: string) => {
    const { body } = await api.ask('admin', `GET /customers/${customerId}`);
    const answer = await api.ask('admin', `PATCH /customers/${customerId}`, {
      body: { version: body.version, linkReview },
    });
    assert.deepEqual([answer.status, answer.body.linkReview], [200, linkReview]);
  };
  await set('never');
  assert.equal((await add('https://trusted.example.com/')).linkState, 'active');
  await set('always');
  assert.equal((await add('https://trusted.example.com/')).linkState, 'pending');
  await set('firstUse');
  assert.equal((await add('https://trusted.example.com/')).linkState, 'active');
});

test('a task whose link is blocked after its check is not confirmed', async () => {
  const link = await add('https://unapproved.example.com/');
  assert.equal((await approve(link.linkId)).status, 204);
  const content = `See ${link.shortUrl.replace(/^https?:\/\//, '')} now`;
  const templateId = await buildTemplate(pool, { customerId, appId, content });
  const fileId = await world.addFile(1);
  const body = { taskName: 'Links', appId, smsType: 2, templateId, senderId: world.senderId, fileId };
  const { taskId } = (await api.ask('owner', 'POST /tasks', { body })).body;
  assert.equal(await checkNextTask(await world.jobs()), true);
  assert.equal((await api.ask('owner', `GET /tasks/${taskId}`)).body.taskStatus, 2);
  await api.ask('reviewer', `PUT /blocked-links/${link.linkId}`, { body: { reason: 'Phishing' } });
  const confirm = await api.ask('owner', `POST /tasks/${taskId}/confirm`);
  assert.deepEqual([confirm.status, confirm.body.code], [409, 'LINK_NOT_APPROVED']);
});

test('S75 a link or a domain blocked by staff stops working everywhere within 5 seconds, whatever is cached', async () => {
  const link = await add('https://trusted.example.com/a');
  assert.equal((await visit(link.code))[0], 302);
  assert.equal(
    (await api.ask('reviewer', `PUT /blocked-links/${link.linkId}`, { body: { reason: 'Phishing' } })).status,
    204,
  );
  api.advance(5_000);
  assert.deepEqual(await visit(link.code), [410, undefined]);
  assert.partialDeepStrictEqual(await read(link.linkId), { linkState: 'blocked', blockedReason: 'Phishing' });
  assert.equal((await api.ask('operator', `DELETE /blocked-links/${link.linkId}`)).status, 204);
  api.advance(5_000);
  assert.equal((await visit(link.code))[0], 302);
  const path = '/blocked-link-domains/example.com';
  assert.equal((await api.ask('reviewer', `PUT ${path}`, { body: { reason: 'Taken over' } })).status, 204);
  api.advance(5_000);
  assert.deepEqual(await visit(link.code), [410, undefined]);
  assert.equal((await read(link.linkId)).blockedReason, 'Taken over');
  const refused = await api.ask('owner', 'POST /short-links', {
    body: { linkName: 'Again', targetUrl: 'https://deep.trusted.example.com./' },
  });
  assert.deepEqual([refused.status, refused.body.code], [409, 'LINK_DOMAIN_BLOCKED']);
  const { body } = await api.ask('admin', 'GET /blocked-link-domains');
  assert.partialDeepStrictEqual(body.items, [{ domain: 'example.com', reason: 'Taken over' }]);
  const listed = await api.ask('owner', 'GET /short-links', { query: { linkState: 'blocked' } });
  assert.ok(listed.body.items.some((each: { linkId: string }) => each.linkId === link.linkId));
  assert.equal((await api.ask('reviewer', `DELETE ${path}`)).status, 204);
  assert.equal((await api.ask('reviewer', `DELETE ${path}`)).status, 404);
  const { rows } = await pool.query(`select action from audit_log where subject_type = 'linkDomain' order by audit_id`);
  assert.deepEqual(
    rows.map((row) => row.action),
    ['block', 'unblock'],
  );
});

test('S75 visitors report a blocked link; staff read it; an address and a network have a share each', async () => {
  const link = await add('https://trusted.example.com/b');
  assert.equal((await report(link.code, 'Not blocked')).statusCode, 404);
  await api.ask('reviewer', `PUT /blocked-links/${link.linkId}`, { body: { reason: 'Phishing' } });
  api.advance(5_000);
  for (let n = 0; n < 7; n++)
    assert.equal((await report(link.code, ` It asked for\u0007 my PIN ${n}`)).statusCode, 204);
  await report(link.code, '   ', '203.0.113.10');
  await report(link.code, 'From elsewhere', '198.51.100.7');
  const { body } = await api.ask('reviewer', 'GET /link-reports');
  assert.deepEqual(body.items.map((each: { message: string }) => each.message).sort(), [
    'From elsewhere',
    ...[0, 1, 2, 3, 4].map((n) => `It asked for  my PIN ${n}`),
  ]);
  const count = async (id: string) =>
    (await api.ask('reviewer', 'GET /link-reports', { query: { customerId: id } })).body.items.length;
  assert.deepEqual([await count(customerId), await count(api.otherCustomerId)], [body.items.length, 0]);
  assert.partialDeepStrictEqual(body.items[0], { linkId: link.linkId, targetUrl: 'https://trusted.example.com/b' });
  assert.equal((await api.ask('admin', `DELETE /link-reports/${body.items[0].reportId}`)).status, 204);
  for (let n = 0; n < 40; n++) await report(link.code, `Flood ${n}`, `192.0.2.${n + 1}`);
  const { rows } = await pool.query(`select count(*)::int as n from link_report where message like 'Flood%'`);
  assert.equal(rows[0].n, 30);
});

test('S2 customers neither block links nor read reports', async () => {
  const calls: [string, object | undefined][] = [
    [`PUT /blocked-links/${uuidV7()}`, { reason: 'x' }],
    [`DELETE /blocked-links/${uuidV7()}`, undefined],
    ['GET /blocked-link-domains', undefined],
    ['PUT /blocked-link-domains/a.example', { reason: 'x' }],
    ['GET /link-reports', undefined],
  ];
  for (const [call, body] of calls) {
    for (const who of ['owner', 'member', 'viewer', 'other'] as const)
      assert.equal((await api.ask(who, call, { body })).status, 404, `${who} ${call}`);
    assert.equal((await api.ask(null, call, { body })).status, 401, call);
  }
  assert.equal((await api.ask('reviewer', `PUT /blocked-links/${uuidV7()}`, { body: { reason: 'x' } })).status, 404);
  const bad = await api.ask('reviewer', 'PUT /blocked-link-domains/nonsense', { body: { reason: 'x' } });
  assert.deepEqual([bad.status, bad.body.code], [400, 'LINK_DOMAIN_INVALID']);
});
