/**
 * Staff read every customer's lists, across customers or of one; no other user reads another customer's by naming it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RouteKey, routes } from '@pahatid/contract';
import { uuidV7 } from '@pahatid/db';
import { insertInbound } from '@pahatid/db/queries/inbound';
import { registerApiCalls } from '../features/api-calls/routes.ts';
import { registerApplications } from '../features/applications/routes.ts';
import { registerAssignedNumbers } from '../features/assigned-numbers/routes.ts';
import { registerCallbacks } from '../features/callbacks/routes.ts';
import { registerConsents } from '../features/consents/routes.ts';
import { registerDeveloper } from '../features/developer/routes.ts';
import { registerGroups } from '../features/groups/routes.ts';
import { registerInbound } from '../features/inbound/routes.ts';
import { registerKeys } from '../features/keys/routes.ts';
import { registerMembers } from '../features/members/routes.ts';
import { registerOptOuts } from '../features/opt-outs/routes.ts';
import { registerOverview } from '../features/overview/routes.ts';
import { registerReviews } from '../features/review/routes.ts';
import { registerPrefixes } from '../features/routing/prefix-routes.ts';
import { registerPriceChanges } from '../features/routing/price-changes.ts';
import { registerPrices } from '../features/routing/prices.ts';
import { registerSenders } from '../features/senders/routes.ts';
import { registerShortLinks } from '../features/short-links/routes.ts';
import { presentTask } from '../features/tasks/present-task.ts';
import { registerTasks } from '../features/tasks/routes.ts';
import { registerTemplates } from '../features/templates/routes.ts';
import { registerThresholds } from '../features/thresholds/routes.ts';
import { registerVerifications } from '../features/verifications/routes.ts';
import { makeTestApi, type Who } from '../http/testing/test-api.ts';

const api = await makeTestApi({
  features: [
    registerApiCalls,
    registerApplications,
    registerAssignedNumbers,
    registerCallbacks,
    registerConsents,
    registerDeveloper,
    registerGroups,
    registerInbound,
    registerKeys,
    registerMembers,
    registerOptOuts,
    registerOverview({ presentTask, rateOf: () => 0 }),
    registerPrefixes,
    registerPriceChanges,
    registerPrices,
    registerReviews,
    registerSenders,
    registerShortLinks,
    registerTasks,
    registerTemplates,
    registerThresholds,
    registerVerifications,
  ],
});

/** The lists that staff narrow to one customer; a stream has no end, and its own test. */
const lists = Object.entries(routes)
  .filter(([, route]) => (route as { answer?: string }).answer !== 'events')
  .filter(([key, route]) => (route as { byCustomer?: boolean }).byCustomer === true && !key.includes('/:'))
  .map(([key]) => key as RouteKey);
/** Read of one customer at a time. */
const narrowOnly: readonly string[] = ['GET /developer/keys', 'GET /keys', 'GET /calls', 'GET /call-log'];
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
    templateName: `Template of ${who}`,
    smsType: 2,
    appId,
    content: 'Hello {1}.',
  });
  await make(who, 'POST /groups', { groupName: `Group of ${who}` });
  await make(who, 'POST /thresholds', { kind: 'frequency', perDay: 9 });
  await make(who, 'POST /short-links', { linkName: `Link of ${who}`, targetUrl: 'https://example.com/' });
  const customerId = who === 'owner' ? api.customerId : api.otherCustomerId;
  const number = { appId, number: who === 'owner' ? '2910' : '2911' };
  const assigned = await api.ask('operator', `POST /customers/${customerId}/numbers`, { body: number });
  assert.equal(assigned.status, 201, assigned.text);
  await make(who, 'POST /opt-outs', { mobileNumbers: ['09171234567'] });
  await insertInbound(api.db.pool, {
    ...{ inboundId: uuidV7(), customerId, appId, messageId: null, taskId: null, supplierId: uuidV7() },
    ...{ msisdn: '639171234567', destination: '2910', content: 'Thanks', receivedMs: Date.now(), isOptOut: false },
  });
}

/** Shapes of rows say whose they are: such a list is narrowed to one customer. */
const isOfCustomers = (response: unknown): boolean => {
  const items = (response as { shape?: { items?: { element?: { shape?: object } } } } | undefined)?.shape?.items;
  return Object.keys(items?.element?.shape ?? {}).some((field) => ['operator', 'customerId'].includes(field));
};

test('every list that staff read of what belongs to customers is narrowed to one of them', () => {
  const wide = Object.entries(routes).filter(([key, { access, query, response }]) => {
    const isStaffs = Array.isArray(access) && (access as readonly string[]).includes('admin');
    const takes = query !== undefined && 'customerId' in (query as unknown as { shape: object }).shape;
    const isList = key.startsWith('GET ') && !key.includes('/:') && key !== 'GET /customers';
    return isList && isStaffs && isOfCustomers(response) && !takes;
  });
  assert.deepEqual(
    wide.map(([key]) => key),
    [],
  );
});

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

/** Narrowed by the query alone: the staff's own scope reads claims, prices of everybody and the like. */
for (const [key, who] of [
  ['GET /reviews', 'reviewer'],
  ['GET /price-changes', 'operator'],
] as const)
  test(`${key} is narrowed to one customer`, async () => {
    const price = { customerId: api.customerId, price: 4_000 };
    if (key === 'GET /price-changes') await api.ask('operator', 'POST /prices', { body: price });
    const all = await get(who, key);
    const one = await get(who, key, api.customerId);
    assert.equal(one.status, 200, one.text);
    const isOwn = (item: { customerId: string | null }) => item.customerId === api.customerId;
    assert.ok(one.body.items.length > 0);
    // The time that is left for a review passes between the two calls.
    const still = (items: readonly object[]) => items.map((item) => ({ ...item, clock: null }));
    assert.deepEqual(still(one.body.items), still(all.body.items.filter(isOwn)));
    assert.ok((await get(who, key, api.otherCustomerId)).body.items.every((item: object) => !isOwn(item as never)));
  });

test('a reviewer reads the first screen of a customer without its balance; an operator with it', async () => {
  const balanceFor = async (who: Who) => (await get(who, 'GET /overview', api.customerId)).body.balance;
  assert.equal(await balanceFor('reviewer'), null);
  assert.equal(typeof (await balanceFor('operator')), 'number');
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

test('a linked item is read by its id, on any page of its list', async () => {
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
