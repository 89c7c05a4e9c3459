/** After real faults, and in the middle of them: verify agrees, and so does an auditor that shares nothing with it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildRoute } from '@pahatid/db/builders';
import { until } from '@pahatid/testkit';
import { expireReceipts } from '../sending/receipts/expire-receipts.ts';
import { terminateTaskMessages } from '../sending/settle/terminate-task.ts';
import { findBroken, type Known } from '../sending/testing/invariants.ts';
import { makeScene } from '../sending/testing/make-scene.ts';
import type { Scene } from '../sending/testing/scene.ts';
import { assertAgrees } from './testing/agrees.ts';

const settings = { leaseMs: 1_500, renewEveryMs: 400 };
const loose = { strict: false };
/** Between two checks of everything, each of which reads every row. */
const CHECK_PAUSE_MS = 100;
const outcomes = { delivered: 0.7, undeliv: 0.15, expired: 0.05, refused: 0.1 };
const faults = {
  earlyReceipt: 0.1,
  duplicateReceipt: 0.1,
  lostReceipt: 0.05,
  lostResponse: 0.002,
  duplicateResponse: 0.02,
  errors: [{ status: 0x58, rate: 0.05 }],
  disconnect: 0.002,
  disconnectHow: 'reset',
};
const noFaults = {
  earlyReceipt: 0,
  duplicateReceipt: 0,
  lostReceipt: 0,
  lostResponse: 0,
  duplicateResponse: 0,
  errors: [],
  disconnect: 0,
};

const quickTimeouts = (scene: Scene) =>
  scene.pool.query(`update supplier set profile = profile || '{"responseTimeoutMs": 1000}'`);

/** Until nothing waits and nothing has changed for a second. */
const untilQuiet = async (scene: Scene): Promise<void> => {
  let last = '';
  let same = 0;
  await until(
    async () => {
      const states = await scene.states();
      const now = JSON.stringify(Object.entries(states).sort());
      same = now === last ? same + 1 : 0;
      last = now;
      return states['0/0'] === undefined && same >= 15;
    },
    { everyMs: 100 },
  ).catch((error: unknown) => {
    throw new Error(last, { cause: error });
  });
};

const assertSound = async (scene: Scene, known: Known): Promise<void> => {
  // Receipts get lost here, so a message may rest without one.
  const broken = await findBroken(scene.pool, scene.simulator!.journal.entries(), { isUnderWay: true, ...known });
  assert.deepEqual(broken, []);
  await assertAgrees(scene.pool);
};

for (const [doubtPolicy, chargeType] of [
  ['hold', 'SenderPays'],
  ['resend', 'ReceiverPays'],
] as const) {
  test(`kill -9 of senders among faults of every kind, policy ${doubtPolicy}, ${chargeType}`, async (t) => {
    const scene = await makeScene(
      t,
      { windowSize: 30, tps: 600, doubtPolicy, chargeType, carriers: { outcomes } },
      loose,
    );
    await quickTimeouts(scene);
    scene.setFaults(faults);
    const recipients = scene.recipients(900);
    await scene.accept(recipients);
    for (let kill = 1; kill <= 2; kill++) {
      const child = await scene.spawnSender(scene.database.url, settings);
      await scene.untilSeen(kill * 250);
      await assertAgrees(scene.pool);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await assertAgrees(scene.pool);
    }
    await scene.startSender(settings);
    await untilQuiet(scene);
    await assertSound(scene, { policy: doubtPolicy, accepted: recipients.map(({ msisdn }) => msisdn) });
  });
}

test('a carrier lost in the middle of a send: its rest by another, then receipts given up, and some that come after all', async (t) => {
  const scene = await makeScene(t, { windowSize: 20, tps: 300, carriers: { outcomes } });
  await quickTimeouts(scene);
  const { rows } = await scene.pool.query(`select supplier_id from supplier where supplier_account = 'smart-1'`);
  await buildRoute(scene.pool, { routeName: 'Backup', supplierId: rows[0].supplier_id, priority: 5 });
  scene.setFaults({ ...faults, holdReceipts: true });
  for (let n = 0; n < 300; n += 3)
    await scene.accept(scene.recipients(3, n), { taskId: n % 2 === 0 ? null : scene.taskId });
  await scene.accept(scene.recipients(600, 300));
  await scene.startSender(settings, 12, {
    healthTimes: { failAfterMs: 1_000, healAfterMs: 2_000, codesFailAfterMs: 1_000, codesHealAfterMs: 2_000 },
  });
  await scene.untilSeen(200);
  scene.simulator!.carrier('globe').setFaults({ bindStatus: 0x08 });
  scene.simulator!.carrier('globe').disconnect('reset');
  do {
    await assertAgrees(scene.pool);
    await sleep(CHECK_PAUSE_MS);
  } while (((await scene.states())['0/0'] ?? 0) > 0);
  await untilQuiet(scene);
  await expireReceipts(scene.pool, scene.writer, Date.now() + 72 * 3_600_000 + 60_000);
  assert.ok(((await scene.states())['3/6'] ?? 0) > 0);
  await assertSound(scene, { policy: 'hold' });
  scene.setFaults({ ...noFaults, holdReceipts: false });
  await until(async () => ((await scene.states())['3/2'] ?? 0) > 0);
  await assertAgrees(scene.pool);
  await untilQuiet(scene);
  await assertSound(scene, { policy: 'hold' });
});

test('a task terminated among faults, and the failed of another tried again', async (t) => {
  const scene = await makeScene(t, { windowSize: 20, tps: 300, carriers: { outcomes } });
  await quickTimeouts(scene);
  scene.setFaults(faults);
  await scene.accept(scene.recipients(600));
  await scene.startSender(settings);
  await scene.untilSeen(150);
  await scene.pool.query('update task set task_status = 9');
  await until(
    async () => {
      await assertAgrees(scene.pool);
      return (await terminateTaskMessages(scene.pool, scene.writer, scene.taskId)).openBatches === 0;
    },
    { everyMs: CHECK_PAUSE_MS },
  );
  await untilQuiet(scene);
  await assertSound(scene, { policy: 'hold' });
  scene.setFaults(noFaults);
  const { rows } = await scene.pool.query<{ message_id: string; msisdn: string; content: string; pkg_total: number }>(
    'select message_id, msisdn, content, pkg_total from message where send_status = 2 order by message_id',
  );
  await scene.pool.query('update task set task_status = 5, retry_count = 1');
  await scene.accept(
    rows.map((row) => ({
      msisdn: row.msisdn,
      areaCode: 'PH',
      content: row.content,
      pkgTotal: row.pkg_total,
      retryOf: BigInt(row.message_id),
    })),
    { round: 1 },
  );
  await assertAgrees(scene.pool);
  await untilQuiet(scene);
  await assertSound(scene, { policy: 'hold' });
});

test('connections to the database cut again and again', async (t) => {
  const scene = await makeScene(t, { windowSize: 20, tps: 700, carriers: { outcomes } }, loose);
  await quickTimeouts(scene);
  scene.setFaults(faults);
  await scene.accept(scene.recipients(1_200));
  await scene.startSender(settings);
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  for (let n = 1; n <= 8; n++) {
    await scene.untilSeen(n * 100);
    await scene.pool.query(cut).catch(() => {});
  }
  await untilQuiet(scene);
  await assertSound(scene, { policy: 'hold' });
});
