/** P21: terminated while being sent. Messages on the wire finish; the rest is not sent and not charged. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TaskStatus } from '@pahatid/contract';
import { startStopwatch } from '@pahatid/testkit';
import { Chance } from './chance.ts';
import { makeStaffedWorld, type Staffed } from './journey.ts';
import { patience, size } from './sizes.ts';

const STOPS_MS = 2_000;
const timeout = patience(90_000);
const count = size(4_000, 40_000);
/** Three accounts, so that a small task takes some ten seconds. */
const tps = size(120, 600);
const price = 3_500;

/** Terminates, and returns how long after the response the last submit arrived. */
async function terminate({ world, journey }: Staffed, taskId: string, beside?: () => Promise<void>): Promise<number> {
  const [at] = await Promise.all([
    journey.call('POST /tasks/:taskId/terminate', { params: { taskId } }).then(() => Date.now()),
    beside?.(),
  ]);
  await journey.untilEnded(taskId, TaskStatus.Terminated);
  let last = at;
  for await (const { timeMs } of world.carriers.submits()) last = Math.max(last, timeMs);
  return last - at;
}

/** The rest was not sent, not charged, and nothing is held back for it any more. */
async function assertStopped({ world, journey }: Staffed, taskId: string): Promise<{ sent: number; doubt: number }> {
  const task = await journey.look(taskId);
  const { rows } = await world.pool.query<{ deal: string | null; n: number; segments: number }>(
    `select case when send_status = 2 then deal_result end as deal, count(*)::int as n, sum(pkg_total)::int as segments
     from message where task_id = $1 group by 1`,
    [taskId],
  );
  const stopped = rows.find(({ deal }) => deal === 'TERMINATED')?.n ?? 0;
  assert.equal(task.failedCount, stopped, 'all that failed did so because it was terminated');
  assert.equal(task.successCount + task.unconfirmedCount + stopped, count);
  assert.ok(stopped > count / 4, `only ${stopped} of ${count} were left to stop`);
  assert.equal(task.chargedSegments, task.successCount, 'one segment each, and the rest is free');
  const ledger = await world.pool.query<{ charged: number; held: number }>(
    `select coalesce(-sum(amount) filter (where kind = 'charge'), 0)::float8 as charged,
       (select count(*)::int from reservation where task_id = $2 and released_at is null) as held
     from ledger where customer_id = $1`,
    [world.scene.customerId, taskId],
  );
  assert.deepEqual(ledger.rows, [{ charged: task.successCount * price, held: 0 }]);
  return { sent: task.successCount, doubt: task.unconfirmedCount };
}

describe('P21: terminate while sending', { concurrency: 2, timeout }, () => {
  test('no submit later than 2 s after the answer; the wire finishes, the rest is free', { timeout }, async (t) => {
    const staffed = await makeStaffedWorld(t, { tps });
    const { world, journey } = staffed;
    const task = await journey.prepare(count, 'To be terminated');
    await journey.confirm(task);
    await world.carriers.untilSeen(300);
    const watch = startStopwatch();
    const late = await terminate(staffed, task.taskId);
    const { sent, doubt } = await assertStopped(staffed, task.taskId);
    const verdict = await world.audit();
    t.diagnostic(`last submit ${late} ms after the answer, ${sent} sent of ${count}`);
    watch.assertSpan(late, STOPS_MS, 'the last submit after the answer');
    assert.equal(doubt, 0);
    assert.equal(verdict.delivered, sent);
    assert.equal(verdict.extraCopies, 0);
  });

  test('the same with kill -9 of the sender at that instant, and another one at work', { timeout }, async (t) => {
    const chance = Chance.of(t);
    const staffed = await makeStaffedWorld(t, { tps, windowSize: 30 });
    const { world, journey, sender } = staffed;
    await world.startSender();
    const task = await journey.prepare(count, 'To be terminated in a crash');
    await journey.confirm(task);
    await world.carriers.untilSeen(300);
    const watch = startStopwatch();
    const late = await terminate(staffed, task.taskId, async () => {
      await chance.pause(0, 200);
      await sender.kill();
    });
    const { sent, doubt } = await assertStopped(staffed, task.taskId);
    const verdict = await world.audit();
    t.diagnostic(`last submit ${late} ms after the answer, ${sent} sent of ${count}, ${doubt} in doubt`);
    watch.assertSpan(late, STOPS_MS, 'the last submit after the answer');
    assert.equal(verdict.extraCopies, 0);
    assert.equal(verdict.rows, count);
  });
});
