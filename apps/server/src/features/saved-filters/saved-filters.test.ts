import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SavedFilter, savedFilterLimit } from '@pahatid/contract';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { registerSavedFilters } from './routes.ts';

const api = await makeTestApi({ features: [registerSavedFilters] });
const add = (who: Who, name: string, more: object = {}) =>
  api.ask(who, 'POST /saved-filters', {
    body: { list: 'records', name, filters: { days: 7, clientStatus: '3,4' }, ...more },
  });
const list = async (who: Who): Promise<SavedFilter[]> => (await api.ask(who, 'GET /saved-filters')).body.items;
const names = async (who: Who) => (await list(who)).map(({ name, isDefault }) => `${name}${isDefault ? '*' : ''}`);

test("a saved filter is its user's own: colleagues, other customers and staff have theirs", async () => {
  for (const who of ['viewer', 'admin'] as const) {
    const made = await add(who, 'Undelivered this week');
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(made.body.filters, { days: 7, clientStatus: '3,4' });
    assert.deepEqual(await names(who), ['Undelivered this week']);
  }
  assert.deepEqual(await names('owner'), []);
  const [theirs] = await list('viewer');
  for (const who of ['owner', 'other', 'reviewer'] as const) {
    const path = `/saved-filters/${theirs?.filterId}`;
    assert.equal((await api.ask(who, `PATCH ${path}`, { body: { name: 'Mine' } })).status, 404, who);
    assert.equal((await api.ask(who, `DELETE ${path}`)).status, 404, who);
  }
  assert.equal((await api.ask(null, 'GET /saved-filters')).status, 401);
});

test('a list has at most one default, and names are unique, also for two concurrent requests', async () => {
  const first = await add('member', 'First', { isDefault: 1 });
  await add('member', 'second', { isDefault: 1 });
  assert.deepEqual(await names('member'), ['First', 'second*']);
  const same = await Promise.all([add('member', 'Twice'), add('member', 'TWICE')]);
  assert.deepEqual(same.map(({ status }) => status).sort(), [201, 409]);
  assert.equal(same.find(({ status }) => status === 409)?.body.code, 'SAVED_FILTER_NAME_TAKEN');
  const path = `/saved-filters/${first.body.filterId}`;
  const taken = await api.ask('member', `PATCH ${path}`, { body: { name: 'Second' } });
  assert.equal(taken.body.code, 'SAVED_FILTER_NAME_TAKEN');
  await api.ask('member', `PATCH ${path}`, { body: { isDefault: 1, filters: { carrier: 'Globe' } } });
  assert.deepEqual((await names('member')).slice(0, 2), ['First*', 'second']);
  await api.ask('member', `PATCH ${path}`, { body: { isDefault: 0 } });
  assert.ok((await list('member')).every(({ isDefault }) => isDefault === 0));
  assert.equal((await api.ask('member', `DELETE ${path}`)).status, 204);
  assert.equal((await api.ask('member', `DELETE ${path}`)).status, 404);
});

test('an invalid filter is rejected: a phone number, a text, days mixed with instants, a reversed range', async () => {
  const from = '2026-01-02T00:00:00.000Z';
  const to = '2026-01-01T00:00:00.000Z';
  for (const filters of [{ phoneAddress: '0917' }, { clientStatus: 'x' }, { days: 7, from }, { from, to }, { days: 0 }])
    assert.equal((await add('owner', 'Bad', { filters })).status, 400, JSON.stringify(filters));
  assert.equal((await add('owner', ' ')).status, 400);
  assert.deepEqual(await names('owner'), []);
});

test('a shared view is seen by everyone of its customer and by no one else; its maker and owners change it', async () => {
  const shared = {
    list: 'tasks',
    filters: { taskStatus: '2', search: 'Weekend' },
    sort: 'createTime',
    columns: ['failed'],
  };
  const made = await api.ask('member', 'POST /saved-filters', {
    body: { ...shared, name: 'To confirm', isShared: 1, isPinned: 1 },
  });
  assert.equal(made.status, 201, made.text);
  const of = async (who: Who) => (await api.ask(who, 'GET /saved-filters', { query: { list: 'tasks' } })).body.items;
  for (const [who, mayChange] of [
    ['member', 1],
    ['owner', 1],
    ['viewer', 0],
  ] as const) {
    const [found] = await of(who);
    assert.partialDeepStrictEqual(found, { ...made.body, mayChange, madeBy: who === 'member' ? null : found?.madeBy });
    assert.equal(found?.madeBy === null, who === 'member');
  }
  for (const who of ['other', 'admin', 'reviewer'] as const) assert.deepEqual(await of(who), [], who);

  const path = `/saved-filters/${made.body.filterId}`;
  for (const call of [`PATCH ${path}`, `DELETE ${path}`]) {
    const body = call.startsWith('PATCH') ? { body: { name: 'Mine' } } : {};
    assert.equal((await api.ask('viewer', call, body)).status, 403, call);
    assert.equal((await api.ask('other', call, body)).status, 404, call);
  }
  const renamed = await api.ask('owner', `PATCH ${path}`, { body: { name: 'Wait for us', isDefault: 1 } });
  assert.partialDeepStrictEqual(renamed.body, { name: 'Wait for us', isDefault: 0, isShared: 1, sort: 'createTime' });
  assert.equal((await api.ask('member', `PATCH ${path}`, { body: { isShared: 0 } })).status, 200);
  assert.deepEqual(await of('owner'), []);
  assert.equal((await of('member')).length, 1);
});

test('a viewer keeps views for themselves', async () => {
  const own = { list: 'templates', name: 'Rejected', filters: { auditStatus: '2' } };
  assert.equal((await api.ask('viewer', 'POST /saved-filters', { body: { ...own, isShared: 1 } })).status, 403);
  const made = await api.ask('viewer', 'POST /saved-filters', { body: { ...own, isPinned: 1 } });
  assert.equal(made.status, 201, made.text);
  const path = `/saved-filters/${made.body.filterId}`;
  assert.equal((await api.ask('viewer', `PATCH ${path}`, { body: { isShared: 1 } })).status, 403);
});

test('staff share among themselves', async () => {
  const body = { list: 'review', name: 'Senders', filters: { kind: 'sender' }, isShared: 1 };
  const made = await api.ask('reviewer', 'POST /saved-filters', { body });
  assert.equal(made.status, 201, made.text);
  const [seen] = (await api.ask('operator', 'GET /saved-filters', { query: { list: 'review' } })).body.items;
  assert.partialDeepStrictEqual(seen, { name: 'Senders', mayChange: 0 });
  assert.deepEqual((await api.ask('owner', 'GET /saved-filters', { query: { list: 'review' } })).body.items, []);
  const removed = await api.ask('admin', `DELETE /saved-filters/${made.body.filterId}`);
  assert.equal(removed.status, 204);
});

test('a list keeps the filters that it has, and no search for a phone number', async () => {
  for (const [list, filters] of [
    ['tasks', { clientStatus: '3' }],
    ['groups', { search: '0917 123 4567' }],
    ['members', { search: 'Ana' }],
    ['opt-outs', { mobileNumber: '09171234567' }],
    ['wallets', {}],
  ] as const)
    assert.equal(
      (await api.ask('owner', 'POST /saved-filters', { body: { list, name: 'Bad', filters } })).status,
      400,
      list,
    );
});

test('at most as many as the limit are stored', async () => {
  const made = await Promise.all(Array.from({ length: savedFilterLimit + 1 }, (_, index) => add('owner', `F${index}`)));
  assert.equal(made.filter(({ status }) => status === 201).length, savedFilterLimit);
  assert.equal(made.find(({ status }) => status !== 201)?.body.code, 'SAVED_FILTER_LIMIT');
});
