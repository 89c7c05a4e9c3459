/** Staff read every customer's lists, across customers or of one; nobody else reads another customer's by naming it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RouteKey, routes } from '@pahatid/contract';
import { uuidV7 } from '@pahatid/db';
import { registerApplications } from '../features/applications/routes.ts';
import { registerCallbacks } from '../features/callbacks/routes.ts';
import { registerGroups } from '../features/groups/routes.ts';
import { registerInbound } from '../features/inbound/routes.ts';
import { registerMembers } from '../features/members/routes.ts';
import { registerOptOuts } from '../features/opt-outs/routes.ts';
import { registerPrefixes } from '../features/prefixes/routes.ts';
import { registerReviews } from '../features/reviews/routes.ts';
import { registerPrices } from '../features/routes/prices.ts';
import { registerSenders } from '../features/senders/routes.ts';
import { registerShortLinks } from '../features/short-links/routes.ts';
import { registerTasks } from '../features/tasks/routes.ts';
import { registerTemplates } from '../features/templates/routes.ts';
import { registerThresholds } from '../features/thresholds/routes.ts';
import { makeTestApi, type Who } from '../http/testing/test-api.ts';

const api = await makeTestApi({
  features: [
    registerApplications,
    registerCallbacks,
    registerGroups,
    registerInbound,
    registerMembers,
    registerOptOuts,
    registerPrefixes,
    registerPrices,
    registerReviews,
    registerSenders,
    registerShortLinks,
    registerTasks,
    registerTemplates,
    registerThresholds,
  ],
});

/** The lists that staff narrow to one customer. */
const lists = Object.entries(routes)
  .filter(([key, route]) => (route as { byCustomer?: boolean }).byCustomer === true && !key.includes('/:'))
  .map(([key]) => key as RouteKey);
/** Read of one customer at a time. */
const narrowOnly: readonly string[] = ['GET /inbound', 'GET /members', 'GET /invitations'];
const get = (who: Who, key: string, customerId?: string) =>
  api.ask(who, key, customerId === undefined ? {} : { query: { customerId } });

const make = async (who: 'owner' | 'other', route: string, body: object): Promise<Record<string, string>> => {
  const answer = await api.ask(who, route, { body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};
/** One of each, of both customers. */
for (const [who, appId] of [
  ['owner', api.appId],
  ['other', api.otherAppId],
] as const) {
  await make(who, 'POST /tasks', { taskName: `Task of ${who}`, draft: true });
  await make(who, 'POST /templates', {
    ...{ templateName: `Template of ${who}`, smsType: 2, appId, content: 'Hello {1}.' },
  });
  await make(who, 'POST /groups', { groupName: `Group of ${who}` });
  await make(who, 'POST /thresholds', { kind: 'frequency', perDay: 9 });
  await make(who, 'POST /short-links', { linkName: `Link of ${who}`, targetUrl: 'https://example.com/' });
  await make(who, 'POST /opt-outs', { mobileNumbers: ['09171234567'] });
}

test('the lists are those of the console’s screens', () => {
  for (const key of ['GET /templates', 'GET /senders', 'GET /tasks', 'GET /groups', 'GET /thresholds', ...narrowOnly])
    assert.ok(lists.includes(key as RouteKey), key);
});

for (const key of lists)
  test(`${key}: every role of the staff reads one customer's, and names only one that exists`, async () => {
    for (const who of ['reviewer', 'operator', 'admin'] as const) {
      const one = await get(who, key, api.customerId);
      assert.equal(one.status, 200, one.text);
      const all = await get(who, key);
      if (narrowOnly.includes(key)) {
        assert.equal(all.body.errors[0].field, 'customerId');
        continue;
      }
      assert.equal(all.status, 200, all.text);
      if (all.body.items?.length > 1) {
        const others = await get(who, key, api.otherCustomerId);
        assert.ok(one.body.items.length < all.body.items.length);
        assert.notDeepEqual(one.body.items, others.body.items);
        assert.equal(one.body.items.length + others.body.items.length, all.body.items.length);
      }
    }
    const unknown = await get('admin', key, uuidV7());
    assert.deepEqual([unknown.status, unknown.body.code], [400, 'CUSTOMER_NOT_FOUND']);
    assert.equal((await get('admin', key, 'nobody')).status, 400);
    assert.equal((await get(null, key, api.customerId)).status, 401);
    // A customer's people see their own, also through a link that names it, and nothing of another's.
    assert.equal((await get('owner', key, api.customerId)).status, 200);
    assert.equal((await get('other', key, api.customerId)).status, 404);
  });

test('staff read a rule of a customer and its history, and may not change it', async () => {
  const { items } = (await get('reviewer', 'GET /thresholds', api.customerId)).body;
  assert.equal(items.length, 1);
  assert.equal(items[0].operator, 'Customer A');
  const path = `/thresholds/${items[0].thresholdId}`;
  assert.equal((await api.ask('reviewer', `GET ${path}`)).body.operator, 'Customer A');
  assert.equal((await api.ask('reviewer', `GET ${path}/events`)).status, 200);
  assert.equal((await api.ask('admin', `PATCH ${path}`, { body: { perDay: 1 } })).status, 403);
  assert.equal('operator' in (await api.ask('owner', `GET ${path}`)).body, false);
});

test('phones of a customer are masked for a reviewer', async () => {
  const { items } = (await get('reviewer', 'GET /opt-outs', api.customerId)).body;
  assert.match(items[0].mobileNumber, /\*/);
});

test('what a link opens is read by its id, on whatever page of its list it is', async () => {
  const added = await api.ask('operator', 'POST /prefixes', { body: { prefix: '63999', carrier: 'Globe' } });
  assert.equal(added.status, 201, added.text);
  assert.deepEqual((await api.ask('operator', 'GET /prefixes/63999')).body, added.body);
  assert.equal((await api.ask('operator', 'GET /prefixes/63998')).status, 404);
  const price = await api.ask('operator', 'POST /prices', { body: { price: 4_000, carrier: 'Globe' } });
  assert.equal(price.status, 201, price.text);
  assert.deepEqual((await api.ask('operator', `GET /prices/${price.body.priceId}`)).body, price.body);
  assert.equal((await api.ask('operator', `GET /prices/${uuidV7()}`)).status, 404);
  for (const key of ['GET /prefixes/63999', `GET /prices/${price.body.priceId}`])
    for (const who of ['owner', 'reviewer'] as const) assert.equal((await api.ask(who, key)).status, 404, key);

  const { items } = (await api.ask('reviewer', 'GET /reviews', { query: { kind: 'template' } })).body;
  assert.equal(items.length, 2);
  for (const item of items) {
    const one = await api.ask('reviewer', 'GET /reviews', { query: { id: item.id, auditStatus: '0,1,2,3' } });
    assert.deepEqual(one.body.items, [item]);
  }
});
