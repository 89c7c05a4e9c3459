/** P1, the sender: kill -9 at instants nobody chose, in the middle of its work. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '@pahatid/testkit';
import { Chance } from './chance.ts';
import { patience, size } from './sizes.ts';
import { carrierCount, World } from './world.ts';

const windowSize = 50;
const bindCount = 2;
const timeout = patience(150_000);
/** All that may be on the wire when a sender dies. */
const windows = carrierCount * bindCount * windowSize;
/** A batch of a dead sender is another's, or ready for it, within this. */
const RETAKEN_MS = 10_000;

/** Waits until a dead sender owns no batch; answers how long after its death that was. */
async function untilRetaken(world: World, owner: string, diedAt: number): Promise<number> {
  await until(
    async () => {
      const found = await world.pool.query('select from batch where state = 1 and owner = $1', [owner]);
      return found.rowCount === 0;
    },
    { timeoutMs: 30_000, everyMs: 50, what: 'batches of a dead sender to be taken back' },
  );
  return performance.now() - diedAt;
}

describe('P1: kill -9 of senders', { concurrency: 2, timeout }, () => {
  test('nothing is lost, nothing is sent twice, and another takes the work over', { timeout }, async (t) => {
    const chance = Chance.of(t);
    const kills = size(8, 100);
    const world = await World.make(t, { tps: size(500, 2_000), windowSize, bindCount });
    const senders = [await world.startSender(), await world.startSender()];
    const loading = world.accept(size(14_000, 600_000));
    const retakes: Promise<number>[] = [];
    for (let kill = 0; kill < kills; kill++) {
      await chance.pause(300, size(2_000, 4_000));
      const victim = senders.shift();
      assert.ok(victim);
      await victim.program.kill();
      retakes.push(untilRetaken(world, victim.owner, performance.now()));
      senders.push(await world.startSender());
    }
    await loading;
    const waits = await Promise.all(retakes);
    await world.untilQuiet();
    const verdict = await world.audit();
    const longest = Math.round(Math.max(...waits));
    t.diagnostic(
      `${kills} kills, ${verdict.doubted} ever in doubt, ${verdict.inDoubt} still, retaken in ${longest} ms`,
    );
    assert.equal(verdict.rows, world.accepted.size);
    assert.ok(verdict.doubted <= kills * windows, `${verdict.doubted} in doubt`);
    assert.equal(verdict.extraCopies, 0);
    assert.ok(longest <= RETAKEN_MS, `work was retaken after ${waits.map(Math.round).join(', ')} ms`);
  });

  test('under the policy to resend everything arrives, copied only where it was in doubt', { timeout }, async (t) => {
    const chance = Chance.of(t);
    const kills = size(2, 30);
    const world = await World.make(t, { tps: size(400, 2_000), windowSize, bindCount, doubtPolicy: 'resend' });
    let sender = await world.startSender();
    const loading = world.accept(size(3_000, 100_000));
    for (let kill = 0; kill < kills; kill++) {
      await chance.pause(300, 900);
      await sender.program.kill();
      sender = await world.startSender();
    }
    await loading;
    await world.untilQuiet();
    const verdict = await world.audit();
    t.diagnostic(`${kills} kills, ${verdict.doubted} in doubt, ${verdict.extraCopies} copies`);
    assert.equal(verdict.delivered, world.accepted.size);
    assert.ok(verdict.extraCopies <= kills * windows, `${verdict.extraCopies} copies`);
  });
});
