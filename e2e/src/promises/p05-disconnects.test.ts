/** P5: connections to the carriers end in the middle of full windows, in every manner there is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@pahatid/testkit';
import { Chance } from './chance.ts';
import { patience, size, soaking } from './sizes.ts';
import { carrierCount, World } from './world.ts';

const windowSize = 20;
const bindCount = 6;
/** Responses take so long that windows are full of unanswered requests. */
const latency = '400-800';
const windows = carrierCount * bindCount * windowSize;
const byChance = size(600, 10_000);
/** Nearly all: binds cut more often wait longer. */
const boundAgain = carrierCount * bindCount - 3;
const carrierNames = ['globe', 'smart', 'dito'] as const;
/** By the peer's unbind, FIN and RST, each at one of the carriers, concurrently. */
const carrierManners = ['unbind', 'close', 'reset'] as const;
/** By an RST in transit, and half-open: both sides receive nothing until it breaks. */
const events = ['by the carriers', 'cut', 'half-open'] as const;

test('P5: disconnects in full windows put at most those in doubt, the rest goes on after the next bind', {
  timeout: patience(120_000),
}, async (t) => {
  const chance = Chance.of(t);
  const world = await World.make(t, {
    tps: size(250, 1_000),
    windowSize,
    bindCount,
    carrierProxy: true,
    carrierFlags: ['--latency', latency],
  });
  const { carriers, carrierProxy: proxy } = world;
  assert.ok(proxy);
  await world.startSender();
  // One in a hundred submits ends its connection, after it is taken and before it is answered.
  await carriers.setFaults({ disconnect: 0.01, disconnectHow: 'reset' });
  await world.accept(byChance);
  await carriers.untilSeen(byChance * 0.9, patience(60_000));
  await carriers.setFaults({ disconnect: 0 });
  let ended = 0;
  for (let round = 0; round < size(1, 9); round++) {
    for (const event of chance.shuffle(events)) {
      await until(() => proxy.connections >= boundAgain, { timeoutMs: patience(60_000), what: 'binds' });
      // Only now: with the binds that came first all might be sent before the last is there.
      const { submits } = await carriers.counters();
      await world.accept(size(1_000, 6_000));
      await carriers.untilSeen(submits + windows);
      // One may just be reconnecting.
      await until(() => proxy.connections >= boundAgain, { timeoutMs: patience(60_000), what: 'binds' });
      ended += proxy.connections;
      await endAll(event);
    }
  }
  await world.untilQuiet({ timeoutMs: patience(100_000) });
  const verdict = await world.audit();
  t.diagnostic(
    `${ended} disconnects by hand and about ${byChance / 100} by chance, ${verdict.doubted} ever in doubt, ${verdict.inDoubt} still`,
  );
  assert.equal(verdict.rows, world.accepted.size);
  assert.ok(verdict.doubted > 0);
  assert.ok(verdict.doubted <= (ended + (2 * byChance) / 100) * windowSize);
  assert.equal(verdict.extraCopies, 0);
  assert.ok(ended >= size(45, 400), `${ended} disconnects`);

  async function endAll(event: (typeof events)[number]): Promise<void> {
    assert.ok(proxy);
    if (event === 'cut') proxy.cut();
    else if (event === 'half-open') {
      proxy.goSilent();
      await sleep(1_000);
      proxy.cut();
      proxy.heal();
    } else {
      const manners = chance.shuffle(carrierManners);
      await Promise.all(carrierNames.map((name, n) => carriers.disconnect(manners[n] ?? 'reset', name)));
    }
  }
});

// 30 s idle and two enquire_links of 10 s: in `npm test` packages/smpp shows the same by an injected clock.
test('P5: a silently dead connection is detected and replaced', {
  timeout: patience(120_000),
  skip: soaking ? false : 'a minute and more: in the soak',
}, async (t) => {
  const world = await World.make(t, { tps: 250, windowSize, bindCount, carrierProxy: true });
  const { carriers, carrierProxy: proxy } = world;
  assert.ok(proxy);
  const { program } = await world.startSender();
  await world.accept(4_000);
  await carriers.untilSeen(500);
  proxy.goSilent();
  const silentAt = performance.now();
  await until(() => (program.output.match(/enquire_link_timeout/g) ?? []).length >= carrierCount * bindCount, {
    timeoutMs: 120_000,
    everyMs: 200,
    what: 'the end of every dead connection',
  });
  t.diagnostic(`all were given up after ${Math.round((performance.now() - silentAt) / 1_000)} s`);
  proxy.cut();
  proxy.heal();
  await world.untilQuiet({ timeoutMs: 300_000 });
  const verdict = await world.audit();
  assert.ok(verdict.doubted <= carrierCount * bindCount * windowSize, `${verdict.doubted} in doubt`);
  assert.equal(verdict.extraCopies, 0);
});
