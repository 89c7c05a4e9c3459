import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { uuidV7 } from '@pahatid/db';
import { seedDemo } from '@pahatid/db/builders';
import { testDatabase } from '@pahatid/testkit';
import { encodeBlock } from '../files/blocks.ts';
import { makeSecrets } from '../secrets/secrets.ts';
import { makeScene } from '../sending/testing/make-scene.ts';
import { findDifferences } from './find-differences.ts';
import { options } from './testing/agrees.ts';

test('agrees with the demo, ninety days of it', async () => {
  const { pool } = await testDatabase();
  await seedDemo(pool, { secrets: makeSecrets(randomBytes(32)), encodeBlock, simulatorPort: 2776 });
  const { differences, looked } = await findDifferences(pool, options);
  assert.deepEqual(differences, []);
  assert.ok(looked.messages > 5_000 && looked.cells > 1_000 && looked.tasks > 12, JSON.stringify(looked));
});

test('agrees at every moment of a send, whatever the carriers do', async (t) => {
  const scene = await makeScene(t, {
    chargeType: 'ReceiverPays',
    windowSize: 20,
    tps: 900,
    carriers: { outcomes: { delivered: 0.6, undeliv: 0.2, expired: 0.1, refused: 0.1 } },
  });
  // A message whose response was lost is in progress until then.
  await scene.pool.query(`update supplier set profile = profile || '{"responseTimeoutMs": 1000}'`);
  scene.setFaults({
    earlyReceipt: 0.1,
    duplicateReceipt: 0.1,
    lostReceipt: 0.05,
    lostResponse: 0.001,
    errors: [{ status: 0x58, rate: 0.05 }],
    disconnect: 0.002,
    disconnectHow: 'reset',
  });
  await scene.accept(scene.recipients(1_500));
  const ofSoftware = scene.recipients(300, 1_500).map((each) => ({ ...each, templateId: uuidV7() }));
  const [one, other] = ofSoftware.map(({ templateId }) => templateId);
  await scene.accept(
    ofSoftware.map((each, n) => ({ ...each, templateId: n % 3 === 0 ? one! : other! })),
    { taskId: null },
  );
  await scene.startSender();
  const isWaiting = async (): Promise<boolean> => ((await scene.states())['0/0'] ?? 0) > 0;
  let partly = 0;
  for (let next = 1_800; (await isWaiting()) || partly < 5; next += 900) {
    // Where a look takes long, more is sent meanwhile.
    if (!(await isWaiting())) await scene.accept(scene.recipients(900, next));
    const { differences } = await findDifferences(scene.pool, options);
    assert.deepEqual(differences, []);
    if (await isWaiting()) partly += 1;
    await sleep(20);
  }
  const { rows } = await scene.pool.query<{ sent: number; counted: number }>(
    `select (select count(*)::int from message where template_id is not null and send_status = 3) as sent,
       (select sum(success_count)::int from template_day) as counted`,
  );
  assert.ok((rows[0]?.counted ?? 0) > 100);
  assert.equal(rows[0]?.counted, rows[0]?.sent);
});

test('reads in batches of the given size, and finds the same', async (t) => {
  const scene = await makeScene(t);
  for (let n = 0; n < 30; n++) await scene.accept(scene.recipients(5, n * 5));
  await scene.startSender();
  await scene.untilStates({ '3/2': 150 });
  await scene.pool.query(`update report_minute set req_success = req_success + 1`);
  const whole = await findDifferences(scene.pool, options);
  const sliced = await findDifferences(scene.pool, { ...options, batches: 1 });
  assert.ok(whole.count > 0);
  assert.deepEqual(sliced.differences, whole.differences);
  assert.deepEqual(sliced.looked, whole.looked);
});
