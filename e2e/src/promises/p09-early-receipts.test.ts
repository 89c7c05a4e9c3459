/** P9: receipts that come before the response to the message, while the processes that must match them die. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chance } from './chance.ts';
import { patience, size } from './sizes.ts';
import { World } from './world.ts';

test('P9: every receipt finds its message, in any order, on any session, through kills', {
  timeout: patience(120_000),
}, async (t) => {
  const chance = Chance.of(t);
  const kills = size(4, 40);
  const world = await World.make(t, { tps: size(500, 1_000), windowSize: 50 });
  const { carriers } = world;
  await carriers.setFaults({ earlyReceipt: 0.1 });
  const senders = [await world.startSender(), await world.startSender()];
  const loading = world.accept(size(5_000, 200_000));
  for (let kill = 0; kill < kills; kill++) {
    await chance.pause(300, size(1_200, 5_000));
    const victim = senders.shift();
    assert.ok(victim);
    await victim.program.kill();
    senders.push(await world.startSender());
  }
  await loading;
  await world.untilQuiet();
  const verdict = await world.audit();
  const { rows } = await world.pool.query<{ n: number }>(
    'select count(*)::int n from receipt_inbox where matched_at is not null',
  );
  t.diagnostic(`${rows[0]?.n} receipts waited in the inbox and were matched, ${verdict.doubted} ever in doubt`);
  assert.equal(verdict.delivered + verdict.inDoubt, world.accepted.size);
  // A message in doubt whose receipt arrived is resolved: only messages that no carrier received completely remain.
  assert.equal(verdict.inDoubt, verdict.neverSeen);
  assert.equal(verdict.extraCopies, 0);
});
