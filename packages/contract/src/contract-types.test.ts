import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallInput, CallResult } from './index.ts';
import { makeClient, makeRequest, routes } from './index.ts';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <T extends true>(value: T) => value;

test('types of a call follow its route: parts it lacks are not asked for', () => {
  assert.ok(same<Equal<keyof CallInput<'GET /session'>, never>>(true));
  assert.ok(same<Equal<keyof CallInput<'GET /tasks/:taskId'>, 'params'>>(true));
  assert.ok(same<Equal<CallResult<'POST /files'>, { fileId: string }>>(true));
  assert.ok(same<Equal<CallResult<'DELETE /session'>, undefined>>(true));
});

test('a request carries its path parameters escaped and its query without empty values', async () => {
  const sent: unknown[] = [];
  const client = makeClient(async (request) => {
    sent.push(request);
    return { items: [], nextCursor: null };
  });
  await client('GET /session');
  await client('GET /records', { query: { limit: 5, phoneAddress: '', carrier: 'Globe' } });
  assert.deepEqual(sent, [
    { method: 'GET', path: '/session' },
    { method: 'GET', path: '/records?limit=5&carrier=Globe' },
  ]);
  assert.equal(makeRequest('GET /applications/:appId', { params: { appId: 'a/b' } }).path, '/applications/a%2Fb');
});

test('a list query reads numbers and refuses values outside the closed set', () => {
  const query = routes['GET /tasks'].query;
  assert.ok(query);
  assert.deepEqual(query.parse({ taskStatus: '1,5', limit: '7' }), {
    taskStatus: [1, 5],
    limit: 7,
    sort: '-createTime',
  });
  for (const bad of [{ taskStatus: '12' }, { limit: '0' }, { limit: '201' }, { customerId: 'x' }, { sort: 'x' }])
    assert.equal(query.safeParse(bad).success, false, JSON.stringify(bad));
});
