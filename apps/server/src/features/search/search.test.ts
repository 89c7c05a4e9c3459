import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Found } from '@pahatid/contract';
import { ClientStatus } from '@pahatid/contract';
import { many, run, sql, uuidV7, withTransaction } from '@pahatid/db';
import { buildBatches, buildGroup, buildSimulatedCarriers, buildTask, buildTemplate } from '@pahatid/db/builders';
import { insertShortLink } from '@pahatid/db/queries/short-links';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { registerSearch } from './routes.ts';

const api = await makeTestApi({ features: [registerSearch] });
const { pool } = api.db;
const { customerId, otherCustomerId, appId, otherAppId } = api;
const msisdn = '639171234567';
let taskId = '';
let theirs = '';
let messageId = '';

const search = async (who: Who, q: string): Promise<Found[]> => {
  const { status, body, text } = await api.ask(who, 'GET /search', { query: { q } });
  assert.equal(status, 200, text);
  return body.items;
};

before(async () => {
  const secrets = { seal: (_purpose: string, text: string) => text, hashSmppPassword: () => Buffer.alloc(32) };
  const { suppliers, routes } = await buildSimulatedCarriers(pool, { port: 1, secrets });
  taskId = await buildTask(pool, { customerId, appId, taskStatus: 1, taskName: 'December pick-up' });
  const messages = [
    { msisdn, content: 'x', carrier: 'Globe', clientStatus: ClientStatus.Delivered, dealResult: 'DELIVERED' },
  ];
  const of = { customerId, appId, taskId, smsType: 2 as const, clientSid: 'SHOP', writer: 1 };
  const way = { supplierId: suppliers.Globe, routeId: routes.Globe };
  await withTransaction(pool, (tx) =>
    buildBatches(tx, [{ ...of, ...way, at: new Date(Date.now() - 60_000), messages }]),
  );
  const [sent] = await many(pool, sql<{ id: string }>`select message_id::text as id from message`);
  messageId = sent?.id ?? '';
  await buildTemplate(pool, { customerId, appId, templateName: 'Pick-up ready' });
  theirs = await buildTask(pool, {
    customerId: otherCustomerId,
    appId: otherAppId,
    taskStatus: 1,
    taskName: 'Pick-up',
  });
});

test('a part of a name finds the own tasks and templates, those that begin with it first, and nothing of others', async () => {
  const items = await search('viewer', 'PICK-UP');
  assert.deepEqual(
    items.map(({ kind, title }) => [kind, title]),
    [
      ['task', 'December pick-up'],
      ['template', 'Pick-up ready'],
    ],
  );
  assert.ok(!('operator' in items[0]!));
  const seen = await search('reviewer', 'pick-up');
  assert.deepEqual(
    seen.filter((item) => item.kind === 'task').map(({ title }) => title),
    ['Pick-up', 'December pick-up'],
  );
  assert.ok(seen.every((item) => item.kind === 'customer' || item.operator !== undefined));
});

test('groups by a part of their name, short links by name, code or address; deleted ones not at all', async () => {
  await buildGroup(pool, { customerId, groupName: 'Suki of Cebu' });
  const gone = await buildGroup(pool, { customerId, groupName: 'Suki of old' });
  await run(pool, sql`update message_group set deleted_at = now() where group_id = ${gone}`);
  await buildGroup(pool, { customerId: otherCustomerId, groupName: 'Suki of others' });
  const at = new Date();
  const link = {
    linkId: uuidV7(),
    customerId,
    domain: 'pahatid.test',
    code: 'Ab3dEf7',
    mode: 'shared' as const,
    createdBy: null,
    at,
    linkName: 'Suki catalogue',
    targetUrl: 'https://shop.example/',
    fallbackUrl: null,
    appId: null,
    templateId: null,
    expireTime: new Date(at.getTime() - 1_000),
    useState: 1 as const,
  };
  assert.equal(await insertShortLink(pool, link), true);
  assert.deepEqual(
    (await search('viewer', 'suki')).map((item) => [item.kind, item.title]),
    [
      ['group', 'Suki of Cebu'],
      ['shortLink', 'Suki catalogue'],
    ],
  );
  for (const typed of ['Ab3dEf7', 'https://pahatid.test/s/Ab3dEf7', link.linkId]) {
    const [item] = await search('member', typed);
    assert.deepEqual(
      item,
      { kind: 'shortLink', id: link.linkId, title: 'Suki catalogue', linkState: 'expired' },
      typed,
    );
    assert.deepEqual(await search('other', typed), [], typed);
  }
});

test('a full id finds its object; one of another customer finds nothing', async () => {
  assert.deepEqual(
    (await search('member', taskId)).map(({ id }) => id),
    [taskId],
  );
  assert.deepEqual(await search('member', theirs), []);
  assert.deepEqual(
    (await search('owner', appId)).map(({ kind, id }) => [kind, id]),
    [['application', appId]],
  );
  assert.deepEqual(
    (await search('viewer', messageId)).map(({ kind, id }) => [kind, id]),
    [['record', messageId]],
  );
  assert.deepEqual(await search('other', messageId), []);
  assert.deepEqual(
    (await search('admin', 'Customer B')).map(({ kind, id }) => [kind, id]),
    [['customer', otherCustomerId]],
  );
});

test('a number in any spelling finds its messages, shown as the role sees numbers', async () => {
  for (const typed of [msisdn, '0917 123 4567', '+63 (917) 123-4567'])
    assert.deepEqual(
      (await search('member', typed)).map(({ title }) => title),
      [msisdn],
      typed,
    );
  for (const who of ['viewer', 'operator'] as const) {
    const [item] = await search(who, '09171234567');
    assert.equal(item?.title, '63******4567', who);
  }
  assert.deepEqual(await search('other', msisdn), []);
});

test('users that see masked numbers cannot find the hidden digits one by one', async () => {
  assert.equal((await search('member', '0917 123 45')).length, 1);
  assert.deepEqual(await search('viewer', '0917 123 45'), []);
  assert.deepEqual(await search('admin', '63917123456'), []);
});

test('signs of the pattern language are signs, and nothing is asked for by nothing', async () => {
  assert.deepEqual(await search('owner', '%'), []);
  assert.deepEqual(await search('owner', '_'), []);
  assert.equal((await api.ask('owner', 'GET /search', { query: { q: ' ' } })).status, 400);
  assert.equal((await api.ask(null, 'GET /search', { query: { q: 'x' } })).status, 401);
});
