/**
 * P25: displayed figures match events: live figures never run ahead or back and lag at most 5 s; all match when idle.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TaskDetail, TaskStatus } from '@pahatid/contract';
import { Program } from '@pahatid/testkit';
import { type Journey, makeStaffedWorld } from './journey.ts';
import { main } from './root.ts';
import { patience, size } from './sizes.ts';
import type { World } from './world.ts';

const LAG_MS = 5_000;

interface Sample {
  /** When it was asked for, and when it was answered. */
  askedMs: number;
  answeredMs: number;
  task: TaskDetail;
}

const counts = ['successCount', 'failedCount', 'deliveredCount', 'undeliveredCount', 'chargedSegments'] as const;

/** Polls the task until stopped. */
async function watch(journey: Journey, taskId: string, signal: AbortSignal): Promise<Sample[]> {
  const samples: Sample[] = [];
  while (!signal.aborted) {
    const askedMs = Date.now();
    const task = await journey.look(taskId);
    samples.push({ askedMs, answeredMs: Date.now(), task });
    await sleep(100);
  }
  return samples;
}

/** Asserts that figures only grow, and never exceed what happened. Returns the age of the oldest submit they lacked. */
function judge(samples: readonly Sample[], accepted: readonly number[]): number {
  let lag = 0;
  for (const [n, { askedMs, answeredMs, task }] of samples.entries()) {
    const before = samples[n - 1]?.task;
    for (const name of before === undefined ? [] : counts)
      assert.ok(task[name] >= (before?.[name] ?? 0), `${name} went back from ${before?.[name]} to ${task[name]}`);
    const happened = accepted.filter((at) => at <= answeredMs).length;
    assert.ok(task.successCount <= happened, `${task.successCount} shown, ${happened} happened`);
    assert.ok(task.deliveredCount + task.undeliveredCount <= task.successCount);
    const missing = accepted[task.successCount];
    if (missing !== undefined && missing < askedMs) lag = Math.max(lag, askedMs - missing);
  }
  return lag;
}

/** `pahatid verify --json` while messages are being sent: rows and counters agree on one snapshot at any moment. */
async function verifyNow(world: World): Promise<{ cells: number; messages: number }> {
  const program = new Program([main, 'verify', '--json'], { env: world.env() });
  world.programs.push(program);
  assert.equal(await program.ended(patience(30_000)), 0, program.output);
  const said = JSON.parse(program.output) as { agrees: boolean; compared: { cells: number; messages: number } };
  assert.equal(said.agrees, true);
  return said.compared;
}

test('P25: figures of a running task never decrease, lag 5 s at most, and every cell equals a recount', {
  timeout: patience(90_000),
}, async (t) => {
  const total = size(2_500, 100_000);
  const flags = ['--outcomes', 'delivered=0.8,undeliv=0.2'];
  const { world, journey } = await makeStaffedWorld(t, { tps: size(150, 1_000), carrierFlags: flags });
  const task = await journey.prepare(total, 'Counted');
  const stopping = new AbortController();
  const watching = watch(journey, task.taskId, stopping.signal);
  await journey.confirm(task);
  await world.carriers.untilSeen(300);
  const under = await verifyNow(world);
  const end = await journey.untilEnded(task.taskId, TaskStatus.Completed);
  stopping.abort();
  const samples = await watching;
  const accepted: number[] = [];
  for await (const { timeMs, status } of world.carriers.submits()) if (status === 0) accepted.push(timeMs);
  const lag = judge(samples, accepted);
  const verdict = await world.audit();
  const quiet = await verifyNow(world);
  t.diagnostic(
    `${samples.length} looks, lag ${lag} ms at most, ${quiet.cells} cells, ${under.messages} rows in mid-send`,
  );
  assert.ok(lag <= LAG_MS, `figures lacked a submit ${lag} ms old`);
  assert.ok(samples.some((each) => each.task.successCount > 0 && each.task.successCount < total));
  assert.ok(quiet.cells > 0);
  assert.deepEqual(
    [end.successCount, end.deliveredCount, end.undeliveredCount, end.failedCount, end.unconfirmedCount],
    [total, verdict.delivered, verdict.undelivered, 0, 0],
  );
  assert.ok(verdict.undelivered > 0);
});
