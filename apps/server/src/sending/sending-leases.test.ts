/** C1: the binds of an account are shared by all senders. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { until } from '@pahatid/testkit';
import { clean, makeScene, to } from './testing/make-scene.ts';
import type { Scene, SceneOptions } from './testing/scene.ts';

const settings = { leaseMs: 1_500, renewEveryMs: 400 };

/** Carriers that refuse one bind more than agreed. */
const makeShared = (t: TestContext, bindCount: number, more: Omit<SceneOptions, 'pool'> = {}) =>
  makeScene(t, { bindCount, carriers: { maxBinds: bindCount }, ...more }, { strict: false });

/** How many binds to Globe each live sender has, by its own report. */
const bindsBySender = async (scene: Scene): Promise<Record<string, number>> => {
  const { rows } = await scene.pool.query<{ owner: string; n: number }>(
    `select l.owner, (select count(*)::int from bind_state b
       where b.supplier_id = l.supplier_id and b.owner = l.owner and b.state = 'bound') as n
     from bind_lease l join supplier s using (supplier_id)
     where s.carrier = 'Globe' and l.lease_until > clock_timestamp() order by n, l.owner`,
  );
  return Object.fromEntries(rows.map(({ owner, n }) => [owner, n]));
};

const untilSplit = (scene: Scene, wanted: readonly number[]) =>
  until(async () => String(Object.values(await bindsBySender(scene))) === String(wanted), {
    everyMs: 50,
    what: `binds split ${wanted.join(' and ')}`,
  });

const untilBound = (scene: Scene, count: number) =>
  until(() => [...scene.simulator!.carriers.values()].every((carrier) => carrier.bindCount === count), {
    what: `${count} binds to each carrier`,
  });

const assertNeverMore = (scene: Scene, bindCount: number): void => {
  for (const carrier of scene.simulator!.carriers.values()) {
    const { mostBinds, refusedBinds } = carrier.counters();
    assert.deepEqual({ mostBinds, refusedBinds }, { mostBinds: bindCount, refusedBinds: 0 });
  }
};

test('C1: three senders share the binds, and those of one that is stopped or killed are taken over', async (t) => {
  const scene = await makeShared(t, 4, { tps: 300 });
  await scene.accept(scene.recipients(3_000));
  const killed = await scene.spawnSender(scene.database.url, settings);
  await untilBound(scene, 4);
  const stopped = await scene.startSender(settings);
  await untilSplit(scene, [2, 2]);
  await scene.startSender(settings);
  await untilSplit(scene, [1, 1, 2]);
  await untilBound(scene, 4);
  await stopped.stop();
  await untilSplit(scene, [2, 2]);
  await untilBound(scene, 4);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  await untilSplit(scene, [4]);
  await untilBound(scene, 4);
  assertNeverMore(scene, 4);
  await until(async () => (await scene.states())['0/0'] === undefined, { what: 'all to have been sent' });
  assert.partialDeepStrictEqual(await scene.audit(), { rows: 3_000, waiting: 0, failed: 0, sentTwice: 0 });
});

test('C1: with fewer binds than senders one has none and claims nothing; it takes over when the other stops', async (t) => {
  const scene = await makeShared(t, 1, { tps: 300 });
  const first = await scene.startSender(settings);
  await untilBound(scene, 1);
  const second = await scene.startSender(settings);
  await untilSplit(scene, [0, 1]);
  await scene.accept(scene.recipients(600));
  await scene.untilSeen(200);
  assert.equal(second.engine.underWay, 0);
  await first.stop();
  await scene.untilStates({ '3/2': 600 });
  assertNeverMore(scene, 1);
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 600 });
});

for (const [what, smsType, unboundMs] of [
  ['after a while', 2, 500],
  ['if they are codes immediately', 1, 3_600_000],
] as const) {
  test(`what a sender without a bind holds is sent by another: ${what}`, async (t) => {
    const scene = await makeShared(t, 2, { tps: 40, smsType });
    // With leases as in production: both senders are in this process, and a stall of it must take no batch from either.
    const senders = [await scene.startSender({ unboundMs }), await scene.startSender({ unboundMs })];
    await untilSplit(scene, [1, 1]);
    for (let from = 0; from < 600; from += 20) {
      await scene.accept(Array.from({ length: 20 }, (_, n) => to(`63917${String(from + n).padStart(7, '0')}`)));
    }
    await until(() => senders.every(({ engine }) => engine.underWay > 20), { what: 'work in both' });
    await scene.pool.query('update supplier set bind_count = 1, tps = 2000');
    await scene.untilStates({ '3/2': 600 });
    assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 600 });
  });
}
