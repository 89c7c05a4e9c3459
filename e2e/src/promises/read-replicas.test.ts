/** The api reads records from a standby server (PAHATID_READ_URLS), but never from one that is far behind, and not for a person who has just changed something. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePool } from '@pahatid/db';
import { startServerPair, until } from '@pahatid/testkit';
import { Journey } from './journey.ts';
import { patience } from './sizes.ts';
import { World } from './world.ts';

test('records come from a replica, but what a person just changed, or a replica far behind, from the leader', {
  timeout: patience(60_000),
}, async (t) => {
  const { primary, standby } = await startServerPair(t, { follows: true });
  const world = await World.make(t, { databaseUrl: primary.url });
  const { url } = await world.startApi({ PAHATID_READ_URLS: standby.url });
  const journey = await Journey.begin(world, url);
  const replica = makePool({ url: standby.url, applicationName: 'pahatid test', max: 1 });
  t.after(() => replica.end());
  const count = async (cookie: string): Promise<number> => {
    const answer = await fetch(`${url}/api/v1/records`, { headers: { cookie } });
    return ((await answer.json()) as { items: unknown[] }).items.length;
  };
  await world.accept(1);
  await until(async () => (await count(journey.cookie)) === 1);

  // The first that a replica answers comes when the api has seen that it is fresh.
  let onReplica = 1;
  for (; ; onReplica++) {
    await replica.query('select pg_wal_replay_pause()');
    await world.accept(1);
    if ((await count(journey.cookie)) === onReplica) break;
    await replica.query('select pg_wal_replay_resume()');
  }
  const changed = await journey.fetch('/saved-filters', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ list: 'records', name: 'All', filters: {} }),
  });
  const [mark = ''] = changed.headers.getSetCookie();
  assert.match(mark, /^pahatid-change=1; Max-Age=10; Path=\/; HttpOnly; SameSite=Lax/);
  assert.equal(await count(`${journey.cookie}; ${mark.split(';')[0]}`), onReplica + 1);
  // It stays where it is, and is left when it is 5 s behind.
  await until(async () => (await count(journey.cookie)) === onReplica + 1);
});
