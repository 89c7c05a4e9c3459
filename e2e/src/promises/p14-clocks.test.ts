/** P14: clocks that are set by two hours, midnight, the end of a month. Nothing is sent twice, no schedule is missed. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { TaskStatus } from '@pahatid/contract';
import { startStopwatch, until } from '@pahatid/testkit';
import { Chance } from './chance.ts';
import { type Journey, type Prepared, type Staffed, staff } from './journey.ts';
import { MovedClocks } from './moved-clocks.ts';
import { patience, size } from './sizes.ts';
import { World, type WorldOptions } from './world.ts';

const timeout = patience(120_000);
const hourMs = 3_600_000;
const JUMP_MS = 2 * hourMs;
const WEEK_MS = 7 * 24 * hourMs;
/** A task begins within a look for due tasks (1 s) and the time that starting one takes on a busy machine. */
const STARTS_MS = 5_000;
/** The work of dead processes resumes: their leases (7 s), two polls for them, and a process start. */
const RESUMES_MS = 20_000;

interface Moved extends Staffed {
  readonly clocks: MovedClocks;
}

async function makeMovedWorld(t: Parameters<typeof World.make>[0], options: WorldOptions, aheadMs = 0): Promise<Moved> {
  const world = await World.make(t, options);
  const clocks = await MovedClocks.of(t, world);
  await clocks.setAll(aheadMs);
  return { ...(await staff(world, clocks.env)), clocks };
}

/** Returns the next beginning of a month on a Monday (UTC), two months ahead at least: Unix milliseconds. */
function findMonthOnMonday(now: Date): number {
  for (let months = 2; ; months++) {
    const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
    if (at.getUTCDay() === 1) return at.getTime();
  }
}

/** How often the program began a task. */
async function startsOf(world: World, taskId: string): Promise<number> {
  const { rowCount } = await world.pool.query(`select from task_event where task_id = $1 and action = 'prepare'`, [
    taskId,
  ]);
  return rowCount ?? 0;
}

/** Messages that senders reported as in doubt and not submitted. */
function countUnwritten(world: World): number {
  const said = world.programs.map(({ output }) => output).join('\n');
  const lines = [...said.matchAll(/"messages":(\d+)[^\n]*in doubt stay unsent/g)];
  return lines.reduce((sum, [, messages]) => sum + Number(messages), 0);
}

/** A confirmed task, to begin so long from now by the database's clock. */
async function schedule(journey: Journey, count: number, name: string, nowMs: number): Promise<Prepared> {
  const planTime = new Date(nowMs).toISOString();
  const task = await journey.prepare(count, name, { planFlag: 1 as const, planTime });
  await journey.confirm(task);
  return task;
}

/**
 * Sends single messages one after another until stopped; returns their ids in the order of the responses. Notices: a code
 * that is accepted before a jump of hours has outlived its time after it.
 */
async function sendSingly(world: World, journey: Journey, signal: AbortSignal): Promise<bigint[]> {
  const ids: bigint[] = [];
  while (!signal.aborted) {
    const [to = ''] = journey.phones(1);
    const answer = await journey.post({ to, smsType: 2, content: `Notice ${ids.length}` });
    const said = await answer.text();
    assert.equal(answer.status, 202, said);
    world.accepted.add(to);
    ids.push(BigInt((JSON.parse(said) as { messageId: string }).messageId));
    await sleep(30);
  }
  return ids;
}

describe('P14: clocks that jump', { concurrency: 2, timeout }, () => {
  test('set ahead and back by 2 h in mid-send, at the database and at processes: sent once, ids only rise', {
    timeout,
  }, async (t) => {
    const chance = Chance.of(t);
    const { world, journey, clocks } = await makeMovedWorld(t, { tps: size(120, 500) });
    await world.startSender(clocks.env);
    const task = await journey.prepare(size(2_500, 60_000), 'Through jumps');
    await journey.confirm(task);
    await world.carriers.untilSeen(100);
    const stopping = new AbortController();
    const singly = sendSingly(world, journey, stopping.signal);
    const jumps: (() => unknown)[] = [];
    for (const aheadMs of [JUMP_MS, 0, -JUMP_MS, 0]) {
      jumps.push(() => clocks.setDatabase(aheadMs));
      jumps.push(() => clocks.setProcesses(aheadMs));
    }
    for (let round = 0; round < size(1, 20); round++)
      for (const jump of chance.shuffle(jumps)) {
        await chance.pause(200, 900);
        await jump();
      }
    await clocks.setAll(0);
    stopping.abort();
    const ids = await singly;
    const end = await journey.untilEnded(task.taskId, TaskStatus.Completed);
    // Messages in doubt do not hold up the end of a task; their receipts are tried for seconds more.
    await world.untilQuiet();
    const verdict = await world.audit();
    t.diagnostic(`${ids.length} single messages, ${verdict.doubted} ever in doubt, ${verdict.inDoubt} still`);
    assert.equal(verdict.extraCopies, 0);
    assert.equal(verdict.rows, world.accepted.size);
    // A machine that is too busy to renew a lease in time leaves messages in doubt unsent, and reports each.
    const reported = countUnwritten(world);
    assert.ok(verdict.neverSeen <= reported, `${verdict.neverSeen} in doubt were never sent, ${reported} reported`);
    assert.ok(end.successCount >= task.phones.length - reported);
    assert.equal(await startsOf(world, task.taskId), 1);
    for (const [n, id] of ids.entries()) assert.ok(id > (ids[n - 1] ?? 0n), `id ${id} after ${ids[n - 1]}`);
    const strays = await world.pool.query('select from message_default limit 1');
    assert.equal(strays.rowCount, 0, 'every message is in the partition of its week');
  });

  test('due in a skipped hour: starts immediately; in a repeated one: starts once; work of dead processes continues', {
    timeout,
  }, async (t) => {
    const { world, journey, jobs, sender, clocks } = await makeMovedWorld(t, { tps: 100 });
    const skipped = await schedule(journey, 300, 'In a skipped hour', Date.now() + hourMs);
    const repeated = await schedule(journey, 300, 'In a repeated hour', Date.now() + 2.5 * hourMs);
    await sleep(1_500);
    assert.equal(await startsOf(world, skipped.taskId), 0, 'not yet due');

    const starting = startStopwatch();
    await clocks.setAll(JUMP_MS);
    await until(() => startsOf(world, skipped.taskId));
    const started = starting.elapsedMs;
    starting.assertWithin(STARTS_MS, 'the start of a task of the skipped hour');
    assert.equal(await startsOf(world, repeated.taskId), 0, 'not yet due');
    await journey.untilStatus(skipped.taskId, TaskStatus.Completed);
    await clocks.setAll(JUMP_MS + hourMs);
    await until(() => startsOf(world, repeated.taskId));
    const long = await journey.prepare(1_500, 'Under way when the clock is set back');
    await journey.confirm(long);
    const { submits } = await world.carriers.counters();
    await world.carriers.untilSeen(submits + 200);

    // The database's clock, on which leases are based, is set back by two hours, and their holders die.
    await Promise.all([jobs.kill(), sender.kill()]);
    await clocks.setDatabase(hourMs);
    const resuming = startStopwatch();
    const before = (await world.carriers.counters()).submits;
    world.run('jobs', clocks.env);
    await world.startSender(clocks.env);
    await world.carriers.untilSeen(before + 100);
    const resumed = resuming.elapsedMs;
    resuming.assertWithin(RESUMES_MS, 'taking up the work of the dead');
    await journey.untilStatus(long.taskId, TaskStatus.Completed);
    // The hour comes again.
    await clocks.setAll(JUMP_MS + hourMs);
    await sleep(1_500);
    await world.untilQuiet();
    for (const { taskId } of [skipped, repeated, long]) {
      assert.equal((await journey.look(taskId)).taskStatus, TaskStatus.Completed);
      assert.equal(await startsOf(world, taskId), 1);
    }
    const verdict = await world.audit();
    t.diagnostic(`started after ${Math.round(started)} ms, resumed after ${Math.round(resumed)} ms`);
    assert.equal(verdict.extraCopies, 0);
    assert.equal(verdict.rows, world.accepted.size);
  });

  test('across the end of a month and midnight in Manila: each row in its week, every cell right', {
    timeout,
  }, async (t) => {
    // It is the end of a week, too. What lies behind it has a partition only if the program made it.
    const monthEnd = findMonthOnMonday(new Date());
    const partitionOf = (monday: number): string =>
      `message_${new Date(monday).toISOString().slice(0, 10).replaceAll('-', '')}`;
    const { world, journey, clocks } = await makeMovedWorld(t, { tps: 200 }, monthEnd - 300_000 - Date.now());
    const stopping = new AbortController();
    const singly = sendSingly(world, journey, stopping.signal);
    const untilMore = async (): Promise<void> => {
      const { size: before } = world.accepted;
      await until(() => world.accepted.size > before + 20);
    };
    await untilMore();
    // Two seconds before it, as far as the world is by now; and some messages behind it, however slow the machine is.
    await clocks.setAll(monthEnd - 2_000 - Date.now());
    await untilMore();
    await sleep(4_000);
    await untilMore();
    const midnight = monthEnd + 16 * hourMs;
    await clocks.setAll(midnight - 1_500 - Date.now());
    await sleep(3_500);
    await untilMore();
    stopping.abort();
    const ids = await singly;
    for (const [n, id] of ids.entries()) assert.ok(id > (ids[n - 1] ?? 0n));
    await world.untilQuiet();
    const verdict = await world.audit();
    assert.equal(verdict.delivered, world.accepted.size);
    const { rows } = await world.pool.query<{ part: string; n: number }>(
      'select tableoid::regclass::text as part, count(*)::int as n from message group by 1 order by 1',
    );
    const parts = rows.map(({ part }) => part);
    assert.deepEqual(parts, [partitionOf(monthEnd - WEEK_MS), partitionOf(monthEnd)]);
    for (const { n } of rows) assert.ok(n > 10, JSON.stringify(rows));
    const ready = await world.pool.query<{ name: string | null }>(`select to_regclass($1)::text as name`, [
      partitionOf(monthEnd + WEEK_MS),
    ]);
    assert.ok(ready.rows[0]?.name, 'the partition of the week after is there already');
  });
});
