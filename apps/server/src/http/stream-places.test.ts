import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { one, run, sql } from '@pahatid/db';
import { until } from '@pahatid/testkit';
import { makeApp, type RegisterFeature } from './app.ts';
import { serve } from './serve.ts';
import { makeTestApi } from './testing/test-api.ts';

/** A stream that sends nothing until it is closed. */
const quiet: RegisterFeature = (app) =>
  serve(app, 'GET /tasks/events', async ({ signal }) =>
    (async function* () {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      yield* [];
    })(),
  );

const api = await makeTestApi({ features: [quiet] });
const second = await makeApp(api.deps, [quiet]);
after(() => second.close());
const addresses: string[] = [];
before(async () => {
  for (const app of [api.app, second]) {
    await app.listen({ port: 0, host: '127.0.0.1' });
    addresses.push(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/v1/tasks/events`);
  }
});

/** Keeps the responses as well: an unreferenced body is garbage collected, and its connection closed. */
const opened: { gone: AbortController; answer: Response }[] = [];

/** Opens a stream in one of the two processes, in turn; returns its status. */
async function open(cookie: string, at = opened.length): Promise<number> {
  const gone = new AbortController();
  const answer = await fetch(addresses[at % 2] ?? '', { headers: { cookie }, signal: gone.signal });
  if (answer.status === 200) opened.push({ gone, answer });
  else await answer.body?.cancel();
  return answer.status;
}
const openMany = (count: number, cookie: string): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => open(cookie, n)));
const countOpen = async (): Promise<number> =>
  (await one<{ n: number }>(api.db.pool, sql`select count(*)::int as n from event_stream`)).n;
const closeAll = async (): Promise<void> => {
  for (const { gone } of opened.splice(0)) gone.abort();
  await until(async () => (await countOpen()) === 0, { what: 'no stream' });
};

test('S72 a session has twenty streams over all processes, also concurrently, and regains a slot with each that ends', async () => {
  const { cookie } = api.users.owner;
  const statuses = await openMany(30, cookie);
  assert.equal(statuses.filter((status) => status === 200).length, 20);
  assert.equal(statuses.filter((status) => status === 429).length, 10);
  assert.equal(await open(await api.signIn(api.users.owner.userId)), 200, 'another session');
  opened.shift()?.gone.abort();
  await until(async () => (await countOpen()) === 20, { what: 'one stream less' });
  assert.equal(await open(cookie), 200);
  assert.equal(await open(cookie), 429);
  await closeAll();
});

test('S72 a customer has two hundred, across its users, and another customer is unaffected', async () => {
  for (let n = 0; n < 10; n += 1)
    assert.ok((await openMany(20, await api.signIn(api.users.member.userId))).every((status) => status === 200));
  assert.equal(await open(api.users.owner.cookie), 429);
  assert.equal(await open(api.users.other.cookie), 200);
  assert.equal(await open(api.users.operator.cookie), 200);
  await closeAll();
});

test('S72 what a process that died had open is free after a minute', async () => {
  const { cookie } = api.users.viewer;
  await openMany(20, cookie);
  // Simulates expired leases: the rows belong to a process that does not exist.
  await run(api.db.pool, sql`update event_stream set process_id = gen_random_uuid(), stream_id = gen_random_uuid()`);
  assert.equal(await open(cookie), 429);
  api.advance(61_000);
  assert.equal(await open(cookie), 200);
  for (const { gone } of opened.splice(0)) gone.abort();
  // A server that ends waits for the connections that this client keeps open.
  for (const { server } of [api.app, second]) server.closeAllConnections();
});
