/** A sender whose database stalls, while carriers keep sending. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { clean, makeScene, to } from './testing/make-scene.ts';

const notLinux = { skip: process.platform === 'linux' ? false : 'reads /proc' };
const stallMs = 6_000;
const settings = { leaseMs: 3_000, renewEveryMs: 800 };

/** Resident memory now, MiB. */
const rssOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

test(
  'while no commit succeeds a flood of receipts costs the sender no memory; then it recovers automatically',
  notLinux,
  async (t) => {
    const window = 200;
    const scene = await makeScene(
      t,
      { bindCount: 1, windowSize: window, carriers: { receiptWindow: 100_000 } },
      { strict: false },
    );
    scene.setFaults({ holdReceipts: true });
    // To one carrier, so that its only bind gets more receipts than it accepts without an acknowledgement (5,000).
    const first = Array.from({ length: 7_000 }, (_, n) => to(`63917${String(n).padStart(7, '0')}`));
    await scene.accept(first);
    const sender = await scene.spawnSender(scene.database.url, settings);
    await scene.untilStates({ '3/1': first.length }, 60_000);
    const rest = Array.from({ length: 3_000 }, (_, n) => to(`63917${String(n + 10_000).padStart(7, '0')}`));

    const blocker = await scene.pool.connect();
    await blocker.query('begin');
    await blocker.query('lock table batch, message in access exclusive mode');
    const before = rssOf(sender.pid ?? 0);
    scene.setFaults({ holdReceipts: false });
    let peak = 0;
    for (const until = performance.now() + stallMs; performance.now() < until; await sleep(100))
      peak = Math.max(peak, rssOf(sender.pid ?? 0));
    assert.ok(peak < 300 && peak - before < 80, `${before} MiB before, ${peak} MiB at most`);
    await blocker.query('rollback');
    blocker.release();

    await scene.accept(rest);
    await scene.untilStates({ '3/2': first.length + rest.length }, 60_000);
    const total = first.length + rest.length;
    assert.partialDeepStrictEqual(await scene.audit(), { ...clean, rows: total, delivered: total });
    sender.kill('SIGTERM');
    await once(sender, 'exit');
    assert.equal(sender.exitCode, 0);
  },
);

test('a database that stalls during sending costs time and nothing else', notLinux, async (t) => {
  const scene = await makeScene(t, { windowSize: 100, tps: 800 }, { strict: false });
  const total = 4_000;
  await scene.accept(scene.recipients(total));
  const sender = await scene.spawnSender(scene.database.url, settings);
  for (let stall = 1; stall <= 2; stall++) {
    await scene.untilSeen(stall * 900);
    const blocker = await scene.pool.connect();
    await blocker.query('begin');
    await blocker.query('lock table batch in access exclusive mode');
    // Longer than the lease, so that granted messages may no longer be written.
    await sleep(500);
    const seen = scene.seen;
    await sleep(settings.leaseMs + 500);
    assert.equal(scene.seen, seen, 'something was sent that no commit allowed');
    await blocker.query('rollback');
    blocker.release();
  }
  await scene.untilStates({ '3/2': total }, 60_000);
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, rows: total, delivered: total });
  assert.equal((await scene.pool.query('select from in_doubt')).rowCount, 0);
  sender.kill('SIGTERM');
  await once(sender, 'exit');
  assert.equal(sender.exitCode, 0);
});
