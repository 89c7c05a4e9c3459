import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startStopwatch, until } from '@pahatid/testkit';
import { clean, makeScene } from './testing/make-scene.ts';
import type { Scene } from './testing/scene.ts';

/** Short leases, so that a test need not wait ten seconds for those of a dead sender. */
const settings = { leaseMs: 1_500, renewEveryMs: 400 };
const loose = { strict: false };

/** Until everything has its outcome, and no message is in doubt that the carrier has reported on. */
const untilSettled = async (scene: Scene, total: number): Promise<void> => {
  await until(
    async () => {
      const states = await scene.states();
      return (states['3/2'] ?? 0) + (states['1/0'] ?? 0) === total;
    },
    { everyMs: 50 },
  ).catch(async (error: unknown) => {
    throw new Error(JSON.stringify(await scene.states()), { cause: error });
  });
};

test('kill -9 of the sender, five times during a task: it completes automatically, nothing lost, nothing sent twice', async (t) => {
  const scene = await makeScene(t, { windowSize: 50, tps: 600 }, loose);
  const total = 3_000;
  await scene.accept(scene.recipients(total));
  let doubted = 0;
  for (let kill = 1; kill <= 5; kill++) {
    const child = await scene.spawnSender(scene.database.url, settings);
    await scene.untilSeen(kill * 400);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await scene.startSender(settings);
  await untilSettled(scene, total);
  const found = await scene.audit();
  assert.partialDeepStrictEqual(found, { rows: total, waiting: 0, failed: 0, sentTwice: 0, neverSeen: 0 });
  // Late receipts resolve some between two looks.
  const agree = async (): Promise<boolean> => {
    const { rows } = await scene.pool.query(
      `select count(*)::int n, count(*) filter (where resolution = 'receipt')::int r from in_doubt`,
    );
    doubted = rows[0].n;
    return (await scene.audit()).inDoubt === doubted - rows[0].r;
  };
  await until(agree, { what: 'as many in doubt as are not resolved' });
  // Never more than the windows of three carriers and a tenth of a second of their pace for each kill.
  assert.ok(doubted <= 5 * 3 * (2 * 50 + 60), `${doubted} in doubt`);
  const batches = await scene.pool.query('select from batch where state <> 2');
  assert.equal(batches.rowCount, 0);
});

test('kill -9 under the resend policy: everything arrives, with no more copies than recorded', async (t) => {
  const scene = await makeScene(t, { windowSize: 50, tps: 900, doubtPolicy: 'resend' }, loose);
  await scene.accept(scene.recipients(1_500));
  const child = await scene.spawnSender(scene.database.url, settings);
  await scene.untilSeen(500);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await scene.startSender(settings);
  await scene.untilStates({ '3/2': 1_500 }, 40_000);
  const found = await scene.audit();
  assert.partialDeepStrictEqual(found, { waiting: 0, inDoubt: 0, neverSeen: 0, delivered: 1_500 });
  const { rows } = await scene.pool.query(`select count(*)::int n from in_doubt where resolution = 'resent'`);
  assert.ok(found.sentTwice <= rows[0].n, `${found.sentTwice} copies, ${rows[0].n} on record`);
});

test('a sender frozen longer than its lease sends nothing that another took over', async (t) => {
  const scene = await makeScene(t, { windowSize: 50, tps: 600 }, loose);
  const total = 2_000;
  await scene.accept(scene.recipients(total));
  const zombie = await scene.spawnSender(scene.database.url, settings);
  await scene.untilSeen(300);
  zombie.kill('SIGSTOP');
  await scene.startSender(settings);
  await sleep(settings.leaseMs * 2);
  zombie.kill('SIGCONT');
  await untilSettled(scene, total);
  assert.partialDeepStrictEqual(await scene.audit(), { rows: total, waiting: 0, sentTwice: 0, neverSeen: 0 });
});

test('a sender that is asked to stop leaves nothing in doubt, and the next one goes on', async (t) => {
  const scene = await makeScene(t, { tps: 600 }, loose);
  await scene.accept(scene.recipients(2_000));
  for (let stop = 1; stop <= 3; stop++) {
    const child = await scene.spawnSender(scene.database.url, settings);
    await scene.untilSeen(stop * 300);
    const watch = startStopwatch();
    child.kill('SIGTERM');
    await once(child, 'exit');
    assert.equal(child.exitCode, 0);
    watch.assertWithin(7_000, 'the stop');
    const { rows } = await scene.pool.query('select state, count(*)::int n from batch where state = 1 group by 1');
    assert.deepEqual(rows, []);
    assert.equal((await scene.states())['1/0'], undefined);
  }
  await scene.startSender(settings);
  await scene.untilStates({ '3/2': 2_000 });
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 2_000 });
});

test('two senders share the work of one task', async (t) => {
  const scene = await makeScene(t, {}, loose);
  await scene.accept(scene.recipients(3_000));
  const child = await scene.spawnSender(scene.database.url, settings);
  await scene.startSender(settings);
  await scene.untilStates({ '3/2': 3_000 });
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 3_000 });
  child.kill('SIGTERM');
  await once(child, 'exit');
});
