/** Accounts whose binds are up, and that answer badly. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRoute } from '@pahatid/db/builders';
import { until } from '@pahatid/testkit';
import { RoutingTable } from './route/routing-table.ts';
import { auditBatches } from './testing/audit-batches.ts';
import { clean, makeScene, to } from './testing/make-scene.ts';
import type { Scene } from './testing/scene.ts';

const PATIENCE_MS = 60_000;
const failAll = { errors: [{ status: 0x08, rate: 1 }] };

const globe = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => to(`63917${String(n + from).padStart(7, '0')}`));

const addBackup = async (scene: Scene): Promise<void> => {
  const { rows } = await scene.pool.query(`select supplier_id from supplier where supplier_account = 'smart-1'`);
  await buildRoute(scene.pool, { routeName: 'Backup', supplierId: rows[0].supplier_id, priority: 5 });
};

const breakerOf = async (scene: Scene): Promise<{ state: string; reason: string; openings: number } | undefined> => {
  const { rows } = await scene.pool.query(
    `select state, reason, openings from supplier_breaker join supplier using (supplier_id) where supplier_account = 'globe-1'`,
  );
  return rows[0];
};
const untilState = (scene: Scene, wanted: string) =>
  until(async () => (await breakerOf(scene))?.state === wanted, {
    timeoutMs: PATIENCE_MS,
    everyMs: 50,
    what: `a breaker that is ${wanted}`,
  });

for (const smsType of [1, 2] as const) {
  test(`a carrier that answers every message with an error: all go over the next route, none fails (type ${smsType})`, async (t) => {
    const scene = await makeScene(t, { smsType });
    await addBackup(scene);
    scene.simulator!.carrier('globe').setFaults(failAll);
    await scene.accept(scene.recipients(600));
    await scene.startSender({ firstRetryMs: 50 });
    await scene.untilStates({ '3/2': 600 }, PATIENCE_MS);
    assert.partialDeepStrictEqual(await scene.audit(), { ...clean, rows: 600, failed: 0, delivered: 600 });
    await auditBatches(scene.pool);
    assert.partialDeepStrictEqual(await breakerOf(scene), { reason: 'errors' });
    assert.equal(scene.simulator!.carrier('globe').counters().submits, 0);
  });
}

test('without another route nothing fails, and all is delivered once the carrier recovers', async (t) => {
  const scene = await makeScene(t);
  const carrier = scene.simulator!.carrier('globe');
  carrier.setFaults(failAll);
  await scene.accept(globe(4));
  await scene.startSender({ firstRetryMs: 20 });
  await untilState(scene, 'halfOpen');
  // Twice as often as a message is tried that is refused for its own sake.
  const tried = () => [...scene.simulator!.journal.entries()].length;
  await until(() => tried() >= 40, { timeoutMs: PATIENCE_MS, what: 'probes' });
  assert.deepEqual(await scene.states(), { '0/0': 4 });
  await scene.accept(globe(96, 100));
  carrier.setFaults({ errors: [] });
  await untilState(scene, 'closed');
  await scene.untilStates({ '3/2': 100 }, PATIENCE_MS);
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, failed: 0, delivered: 100 });
});

test('a carrier that recovers is probed with a few messages, and then used again', async (t) => {
  const scene = await makeScene(t);
  await addBackup(scene);
  const carrier = scene.simulator!.carrier('globe');
  carrier.setFaults(failAll);
  await scene.accept(globe(50));
  await scene.startSender({ firstRetryMs: 50 });
  await scene.untilStates({ '3/2': 50 }, PATIENCE_MS);
  assert.equal(carrier.counters().submits, 0);
  carrier.setFaults({ errors: [] });
  await untilState(scene, 'halfOpen');
  scene.routing = await RoutingTable.load(scene.pool);
  await scene.accept(globe(20, 1_000));
  await scene.untilStates({ '3/2': 70 }, PATIENCE_MS);
  assert.equal(carrier.counters().submits, 20);
  assert.equal((await breakerOf(scene))?.state, 'closed');
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, failed: 0, delivered: 70 });
});
