import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { registerViewSettings } from './routes.ts';

const api = await makeTestApi({ features: [registerViewSettings] });

test('list settings are stored per user, and the last change wins', async () => {
  const put = (who: Who, density: string, switched: string[] = ['taskName']) =>
    api.ask(who, 'PUT /view-settings/records', { body: { density, switched } });
  await put('viewer', 'compact');
  assert.equal((await put('viewer', 'comfortable', [])).status, 200);
  await put('admin', 'compact');
  const items = async (who: Who) => (await api.ask(who, 'GET /view-settings')).body.items;
  assert.deepEqual(await items('viewer'), [{ list: 'records', density: 'comfortable', switched: [], widths: {} }]);
  assert.deepEqual(await items('admin'), [{ list: 'records', density: 'compact', switched: ['taskName'], widths: {} }]);
  assert.deepEqual(await items('owner'), []);
  assert.equal((await put('owner', 'tiny')).status, 400);
  assert.equal((await put(null, 'compact')).status, 401);
  assert.equal(
    (await api.ask('owner', 'PUT /view-settings/..%2f', { body: { density: 'compact', switched: [] } })).status,
    404,
  );
});

test('widths of columns are stored with them, within bounds', async () => {
  const put = (widths: unknown) =>
    api.ask('member', 'PUT /view-settings/tasks', { body: { density: 'comfortable', switched: [], widths } });
  assert.equal((await put({ taskName: 240, appName: 96 })).status, 200);
  const { items } = (await api.ask('member', 'GET /view-settings')).body;
  assert.deepEqual(items, [
    { list: 'tasks', density: 'comfortable', switched: [], widths: { taskName: 240, appName: 96 } },
  ]);
  const many = Object.fromEntries(Array.from({ length: 41 }, (_, n) => [`c${'x'.repeat(n)}`, 100]));
  for (const bad of [{ taskName: 63 }, { taskName: 801 }, { taskName: 99.5 }, { 'task name': 100 }, many, [100]])
    assert.equal((await put(bad)).status, 400, JSON.stringify(bad));
});
