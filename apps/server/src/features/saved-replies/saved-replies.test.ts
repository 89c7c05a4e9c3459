/** Saved replies: one list of a team, with names that differ, changed by owners and members alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { savedReplyLength, savedReplyLimit } from '@pahatid/contract';
import { run, sql } from '@pahatid/db';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { registerSavedReplies } from './routes.ts';

const api = await makeTestApi({ features: [registerSavedReplies] });
const add = (who: Who, name: string, content = 'We close at eight.') =>
  api.ask(who, 'POST /saved-replies', { body: { name, content } });
const list = async (who: Who) => (await api.ask(who, 'GET /saved-replies')).body.savedReplies;
const names = async (who: Who) => (await list(who)).map(({ name }) => name);

test('what a member saves the whole team has, by name; viewers change nothing, others see nothing', async () => {
  const made = await add('member', 'opening hours');
  assert.equal(made.status, 201, made.text);
  await add('owner', 'Delivery');
  for (const who of ['owner', 'member', 'viewer'] as const)
    assert.deepEqual(await names(who), ['Delivery', 'opening hours']);
  assert.deepEqual(await names('other'), []);
  const path = `/saved-replies/${made.body.savedReplyId}`;
  for (const [who, status] of [
    ['viewer', 403],
    ['other', 404],
    ['admin', 404],
  ] as const) {
    assert.equal((await api.ask(who, `PATCH ${path}`, { body: { name: 'Mine' } })).status, status, who);
    assert.equal((await api.ask(who, `DELETE ${path}`)).status, status, who);
  }
  assert.equal((await add('viewer', 'Mine')).status, 403);
  assert.equal((await api.ask(null, 'GET /saved-replies', { headers: { authorization: api.basic.app } })).status, 403);
});

test('a name is there once in any case, also when two save at the same time', async () => {
  const same = await Promise.all([add('owner', 'Twice'), add('member', 'TWICE')]);
  assert.deepEqual(same.map(({ status }) => status).sort(), [201, 409]);
  const refused = same.find(({ status }) => status === 409)?.body as { code?: string } | undefined;
  assert.equal(refused?.code, 'NAME_TAKEN');
  const [first] = await list('owner');
  const path = `/saved-replies/${first?.savedReplyId}`;
  const taken = await api.ask('owner', `PATCH ${path}`, { body: { name: 'twice' } });
  assert.equal((taken.body as { code?: string }).code, 'NAME_TAKEN');
  const changed = await api.ask('owner', `PATCH ${path}`, { body: { content: 'Tomorrow' } });
  assert.deepEqual(changed.body, { ...first, content: 'Tomorrow' });
  assert.equal((await api.ask('owner', `DELETE ${path}`)).status, 204);
  assert.equal((await api.ask('owner', `DELETE ${path}`)).status, 404);
});

test('empty and too long texts are refused, and one more than the limit', async () => {
  for (const [name, content] of [
    [' ', 'x'],
    ['x', ' '],
    ['x', 'x'.repeat(savedReplyLength + 1)],
    ['x'.repeat(41), 'x'],
  ])
    assert.equal((await add('owner', name ?? '', content)).status, 400, name);
  const { length } = await list('owner');
  await run(
    api.db.pool,
    sql`insert into saved_reply (customer_id, saved_reply_id, name, content)
        select ${api.customerId}, gen_random_uuid(), 'Name ' || n, 'Text' from generate_series(1, ${savedReplyLimit - length - 1}) n`,
  );
  const made = await Promise.all([add('owner', 'Last'), add('member', 'One more')]);
  assert.deepEqual(made.map(({ status }) => status).sort(), [201, 409]);
  assert.equal((made.find(({ status }) => status === 409)?.body as { code?: string } | undefined)?.code, 'LIST_FULL');
});
