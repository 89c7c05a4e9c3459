/** P18: senders that are frozen, or cut off from the database, longer than their lease. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startStopwatch, until } from '@pahatid/testkit';
import { patience, size } from './sizes.ts';
import { World } from './world.ts';

const timeout = patience(150_000);
/** Longer than a lease (7 s) and the poll interval for expired leases; everything is taken over by then. */
const ABSENCE_MS = 10_000;

const owned = async (world: World, owners: readonly string[]): Promise<number> =>
  (await world.pool.query('select from batch where state = 1 and owner = any($1::uuid[])', [owners])).rowCount ?? 0;

/** Waits until all leases have expired: by then other processes have taken everything over. */
async function outliveLease(world: World, owners: readonly string[]): Promise<void> {
  await sleep(ABSENCE_MS);
  assert.equal(await owned(world, owners), 0, 'batches are owned by senders that are gone');
}

describe('P18: one owner for each row', { concurrency: 2, timeout }, () => {
  test('a sender frozen longer than its lease sends no second copy when it wakes', { timeout }, async (t) => {
    const rounds = size(1, 50);
    const world = await World.make(t, { tps: 100, windowSize: 30 });
    const zombies = [await world.startSender(), await world.startSender()];
    const owners = zombies.map(({ owner }) => owner);
    let taken = 0;
    for (let round = 0; round < rounds; round++) {
      const { submits } = await world.carriers.counters();
      await world.accept(3_000);
      await world.carriers.untilSeen(submits + 300);
      for (const { program } of zombies) program.child.kill('SIGSTOP');
      // Before there is an heir: on a slow machine that takes longer to start than the leases last.
      taken += await owned(world, owners);
      const heir = await world.startSender();
      await outliveLease(world, owners);
      for (const { program } of zombies) program.child.kill('SIGCONT');
      await until(async () => (await world.states())['0/0'] === undefined || rounds === 1, {
        timeoutMs: patience(60_000),
        everyMs: 200,
      });
      await heir.program.end('SIGTERM', 15_000);
    }
    await world.untilQuiet();
    const verdict = await world.audit();
    t.diagnostic(`${2 * rounds} zombies, ${taken} batches taken over, ${verdict.doubted} ever in doubt`);
    assert.ok(taken > 0);
    assert.equal(verdict.rows, world.accepted.size);
    assert.equal(verdict.extraCopies, 0);
  });

  test('a sender cut off from the database writes nothing more, and another goes on', { timeout }, async (t) => {
    const rounds = size(1, 20);
    const world = await World.make(t, { tps: 100, windowSize: 30, databaseProxy: true });
    const { databaseProxy: proxy, carriers } = world;
    assert.ok(proxy);
    const lonely = await world.startSender();
    let most = 0;
    let taken = 0;
    for (let round = 0; round < rounds; round++) {
      const { submits } = await carriers.counters();
      await world.accept(2_500);
      await carriers.untilSeen(submits + 300);
      const watch = startStopwatch();
      const cutAt = Date.now();
      proxy.goSilent();
      taken += await owned(world, [lonely.owner]);
      await sleep(1_500);
      const { journal } = await carriers.counters();
      await sleep(1_500);
      assert.equal((await carriers.counters()).journal, journal, 'submits long after the database went out of reach');
      for await (const { timeMs } of carriers.submits())
        most = Math.max(most, timeMs <= cutAt + 3_000 ? timeMs - cutAt : 0);
      watch.assertSpan(most, 1_000, 'the last submit after the partition');
      const heir = await world.startSender({ DATABASE_URL: world.url });
      await outliveLease(world, [lonely.owner]);
      proxy.cut();
      proxy.heal();
      await until(async () => (await world.states())['0/0'] === undefined, {
        timeoutMs: patience(60_000),
        everyMs: 200,
      });
      await heir.program.end('SIGTERM', 15_000);
    }
    await world.untilQuiet();
    const verdict = await world.audit();
    t.diagnostic(
      `${rounds} partitions, last submit after at most ${most} ms, ${taken} batches taken over, ${verdict.doubted} ever in doubt`,
    );
    assert.equal(verdict.rows, world.accepted.size);
    assert.equal(verdict.extraCopies, 0);
  });
});
