/** P4, the sender's side: the connection is lost after COMMIT was sent and before its response arrived. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Chance } from './chance.ts';
import { patience, size } from './sizes.ts';
import { World } from './world.ts';

test('P4: a COMMIT whose response is lost is neither applied twice nor lost', {
  timeout: patience(90_000),
}, async (t) => {
  const chance = Chance.of(t);
  const world = await World.make(t, { databaseProxy: true, tps: size(150, 300) });
  const { databaseProxy: proxy, carriers } = world;
  assert.ok(proxy);
  await world.startSender();
  let count = size(4_000, 200_000);
  const enough = size(10, 500);
  await world.accept(count);
  let cuts = 0;
  for (;;) {
    if ((await carriers.counters()).messages >= count - 200) {
      if (cuts >= enough) break;
      // A slow machine commits more seldom.
      await world.accept(500);
      count += 500;
    }
    // Claims, flushes, leases: any next commit.
    const cut = await Promise.race([proxy.cutAfterPattern('toServer', 'commit\0').then(() => true), sleep(2_000)]);
    if (cut === true) cuts += 1;
    // If cut every time, no flush would ever be confirmed.
    await chance.pause(100, 700);
  }
  proxy.heal();
  await world.untilQuiet();
  const verdict = await world.audit();
  t.diagnostic(`${cuts} commits without an answer, ${verdict.doubted} ever in doubt`);
  assert.ok(cuts >= enough, `${cuts} cuts`);
  assert.equal(verdict.delivered, world.accepted.size);
  assert.equal(verdict.extraCopies, 0);
});
