/** P6: a carrier that responds late, or not at all. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '@pahatid/testkit';
import { patience, size, soaking } from './sizes.ts';
import { World } from './world.ts';

const timeout = patience(90_000);

describe('P6: stalled responses', { concurrency: 2, timeout }, () => {
  test('no answer in time is in doubt alone; a late answer or the receipt settles it', { timeout }, async (t) => {
    // Longer than any response of an undisturbed carrier, even on a slow machine.
    const profile = soaking ? {} : { responseTimeoutMs: 3_000 };
    const world = await World.make(t, { profile, tps: 600 });
    const lateResponseMs = soaking ? 65_000 : 5_000;
    await world.carriers.setFaults({ lateResponse: 0.01, lateResponseMs, lostResponse: 0.01, holdReceipts: true });
    await world.startSender();
    await world.accept(size(3_000, 50_000));
    // Responses settle what they can without any receipt.
    const byAnswer = await until(
      async () => {
        const { rows } = await world.pool.query<{ open: number; answered: number }>(
          `select count(*) filter (where resolved_at is null)::int as open,
             count(*) filter (where resolution = 'response')::int as answered from in_doubt`,
        );
        const [found] = rows;
        const states = await world.states();
        return found && !states['0/0'] && found.answered > 0 && found.open > 0 ? found : undefined;
      },
      { timeoutMs: patience(60_000), everyMs: 100, what: 'doubts settled by late answers' },
    );
    await world.carriers.setFaults({ lateResponse: 0, lostResponse: 0, holdReceipts: false });
    await world.untilQuiet();
    const verdict = await world.audit();
    t.diagnostic(`${verdict.doubted} in doubt, ${byAnswer.answered} settled by late answers so far, all in the end`);
    assert.equal(verdict.delivered, world.accepted.size);
    assert.equal(verdict.extraCopies, 0);
    const share = verdict.doubted / verdict.rows;
    assert.ok(share < 0.06, `${share} of all were in doubt`);
  });

  // Two intervals of 30 s and 10 s: in `npm test` packages/smpp shows the same by an injected clock.
  test('a frozen carrier is left after two missed enquire_links', {
    timeout,
    skip: soaking ? false : 'a minute and more: in the soak',
  }, async (t) => {
    const world = await World.make(t, { tps: 300 });
    await world.startSender();
    await world.accept(3_000);
    await world.carriers.untilSeen(500);
    await world.carriers.setFaults({ frozen: true });
    const frozenAt = performance.now();
    await until(
      async () => {
        const { rows } = await world.pool.query<{ n: number }>(
          `select count(*)::int n from bind_state where state = 'bound'`,
        );
        return rows[0]?.n === 0;
      },
      { timeoutMs: 120_000, everyMs: 500, what: 'the end of the binds' },
    );
    t.diagnostic(`left after ${Math.round((performance.now() - frozenAt) / 1_000)} s`);
    await world.carriers.setFaults({ frozen: false });
    await world.untilQuiet({ timeoutMs: 300_000 });
    const verdict = await world.audit();
    assert.equal(verdict.extraCopies, 0);
  });
});
