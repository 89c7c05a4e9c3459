/** P1, the sender: kill -9 at random instants, in the middle of its work. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '@pahatid/testkit';
import { Chance } from './chance.ts';
import { patience, size, soaking } from './sizes.ts';
import { carrierCount, World } from './world.ts';

const windowSize = 50;
/** Granted ahead of the windows: what the pace allows in this time, at most. */
const AHEAD_S = 0.1;
const bindCount = 2;
const timeout = patience(150_000);
/** All that may be on the wire when a sender dies. */
const windows = carrierCount * bindCount * windowSize;
/** The work of a dead sender is another's within 10 s: its leases end in so many seconds at most, by the database's clock. */
const LEASE_S = 7;
/** So many rounds, of a second each, a sender that lives makes at most until it has taken them. */
const ROUNDS = 4;
/** What both come to on a machine that is not short of processors. */
const RETAKEN_MS = 10_000;

interface Retake {
  /** After the death. */
  readonly ms: number;
  /** When it died, of its leases. */
  readonly leaseS: number;
  /** The most that a living sender made while leases were over. */
  readonly rounds: number;
}

/** Waits until a dead sender owns no batch. */
async function untilRetaken(world: World, owner: string, diedAt: number): Promise<Retake> {
  const leases = await world.pool.query<{ s: number }>(
    `select coalesce(extract(epoch from max(lease_until) - clock_timestamp()), 0)::float8 s from batch where state = 1 and owner = $1`,
    [owner],
  );
  const leaseS = leases.rows[0]?.s ?? 0;
  const seen = new Map<string, Set<string>>();
  await until(
    async () => {
      const { rows } = await world.pool.query<{ left: number; over: number; lives: { owner: string; at: string }[] }>(
        `select count(*)::int as left, count(*) filter (where lease_until < clock_timestamp())::int as over,
           (select coalesce(json_agg(life), '[]')
              from (select owner, max(seen_at) as at from bind_state where owner <> $1 group by owner) life) as lives
         from batch where state = 1 and owner = $1`,
        [owner],
      );
      const [found] = rows;
      if (found === undefined || found.left === 0) return true;
      if (found.over > 0)
        for (const { owner, at } of found.lives) seen.set(owner, (seen.get(owner) ?? new Set()).add(at));
      return false;
    },
    { timeoutMs: patience(60_000), everyMs: 50, what: 'batches of a dead sender to be taken back' },
  );
  // The first is of before.
  const rounds = Math.max(0, ...[...seen.values()].map(({ size: times }) => times - 1));
  return { ms: Math.round(performance.now() - diedAt), leaseS, rounds };
}

describe('P1: kill -9 of senders', { concurrency: 2, timeout }, () => {
  test('nothing is lost, nothing is sent twice, and another takes the work over', { timeout }, async (t) => {
    const chance = Chance.of(t);
    const kills = size(5, 100);
    const tps = size(500, 2_000);
    const world = await World.make(t, { tps, windowSize, bindCount });
    const senders = [await world.startSender(), await world.startSender()];
    const loading = world.accept(size(9_000, 600_000));
    const retakes: Promise<Retake>[] = [];
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
    const longest = Math.max(...waits.map(({ ms }) => ms));
    t.diagnostic(
      `${kills} kills, ${verdict.doubted} ever in doubt, ${verdict.inDoubt} still, retaken in ${longest} ms`,
    );
    assert.equal(verdict.rows, world.accepted.size);
    const ahead = carrierCount * Math.ceil(tps * AHEAD_S);
    assert.ok(verdict.doubted <= kills * (windows + ahead), `${verdict.doubted} in doubt`);
    assert.equal(verdict.extraCopies, 0);
    const found = JSON.stringify(waits);
    assert.ok(
      waits.every(({ leaseS, rounds }) => leaseS <= LEASE_S && rounds <= ROUNDS),
      found,
    );
    if (soaking) assert.ok(longest <= RETAKEN_MS, found);
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
