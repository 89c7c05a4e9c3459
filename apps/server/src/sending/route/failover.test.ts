import assert from 'node:assert/strict';
import { test } from 'node:test';
import { saveBindStates, uuidV7 } from '@pahatid/db';
import { buildRoute } from '@pahatid/db/builders';
import { judgeSuppliers } from '@pahatid/db/queries/supplier-health';
import { BatchState } from '@pahatid/domain';
import { until } from '@pahatid/testkit';
import { pino } from 'pino';
import { auditBatches } from '../testing/audit-batches.ts';
import { clean, makeScene, to } from '../testing/make-scene.ts';
import type { Scene } from '../testing/scene.ts';
import { Failover } from './failover.ts';
import { RoutingTable } from './routing-table.ts';

const times = { failAfterMs: 1_500, healAfterMs: 2_500, codesFailAfterMs: 1_500, codesHealAfterMs: 2_500 };
/**
 * For what comes in its own time: a bind that was refused for 15 s is tried again 16 s later (back-off), and a supplier
 * heals after that. No guarantee hangs on it.
 */
const PATIENCE_MS = 60_000;
/** Numbers of Globe alone, of one segment. */
const globe = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => to(`63917${String(n + from).padStart(7, '0')}`));

const quiet = pino({ level: 'silent' });
const poolsOf = (scene: Scene) => ({ control: scene.pool, data: scene.pool });

const supplierOf = async (scene: Scene, account: string): Promise<string> => {
  const { rows } = await scene.pool.query('select supplier_id from supplier where supplier_account = $1', [account]);
  return rows[0].supplier_id;
};

/** A second route for Globe's numbers, over Smart's account. */
const addBackup = async (scene: Scene): Promise<string> =>
  await buildRoute(scene.pool, { routeName: 'Backup', supplierId: await supplierOf(scene, 'smart-1'), priority: 5 });

const startSender = (scene: Scene) => scene.startSender({}, 12, { healthTimes: times });

/** No bind at this carrier from now on, and none of those it had. */
const takeDown = (scene: Scene, systemId: string): void => {
  const carrier = scene.simulator!.carrier(systemId);
  carrier.setFaults({ bindStatus: 0x08 });
  carrier.disconnect('reset');
};

const seenAt = (scene: Scene, systemId: string): number => scene.simulator!.carrier(systemId).counters().submits;
const accountsOf = async (scene: Scene) => {
  const { rows } = await scene.pool.query<{ supplier_account: string; n: number }>(
    'select supplier_account, count(*)::int n from message join supplier using (supplier_id) group by 1 order by 1',
  );
  return Object.fromEntries(rows.map((row) => [row.supplier_account, row.n]));
};

test('a carrier that is down from the start: all its messages take the next route, once each', async (t) => {
  const scene = await makeScene(t);
  await addBackup(scene);
  takeDown(scene, 'globe');
  await scene.accept(scene.recipients(600));
  await startSender(scene);
  await scene.untilStates({ '3/2': 600 }, PATIENCE_MS);
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, rows: 600, delivered: 600 });
  await auditBatches(scene.pool);
  assert.equal(seenAt(scene, 'globe'), 0);
  assert.deepEqual(await accountsOf(scene), { 'dito-1': 200, 'smart-1': 400 });
  const { rows } = await scene.pool.query('select price from message group by price');
  assert.deepEqual(rows, [{ price: 3_500 }]);
});

test('a carrier lost midway: the rest is rerouted, only what was on the wire is in doubt, nothing moves back', async (t) => {
  const scene = await makeScene(t, { tps: 400, windowSize: 20 });
  await addBackup(scene);
  await scene.accept(globe(1_600));
  await startSender(scene);
  await scene.untilSeen(300);
  takeDown(scene, 'globe');
  const before = seenAt(scene, 'globe');
  await until(async () => (await scene.states())['0/0'] === undefined, { timeoutMs: PATIENCE_MS });
  await until(async () => (await scene.pool.query('select from batch where state < 2')).rowCount === 0, {
    timeoutMs: PATIENCE_MS,
  });
  const found = await scene.audit();
  assert.partialDeepStrictEqual(found, { rows: 1_600, waiting: 0, failed: 0, sentTwice: 0, neverSeen: 0 });
  assert.ok(found.inDoubt <= 40, `${found.inDoubt} in doubt, the windows hold 40`);
  await auditBatches(scene.pool);
  const { rows: ends } = await scene.pool.query(
    'select count(distinct valid_until)::int as n, count(*) > 2 as split, bool_and(valid_until is not null) as every from batch',
  );
  assert.deepEqual(ends, [{ n: 1, split: true, every: true }], 'what is split off keeps its end');
  // New messages avoid it as well, until it has been back for a while.
  scene.simulator!.carrier('globe').setFaults({ bindStatus: 0 });
  const doubts = found.inDoubt;
  await until(async () => ((await scene.states())['3/2'] ?? 0) >= 1_600 - doubts, { timeoutMs: PATIENCE_MS });
  assert.equal(seenAt(scene, 'globe'), before);
  assert.partialDeepStrictEqual(await scene.audit(), { waiting: 0, sentTwice: 0, neverSeen: 0 });
  await auditBatches(scene.pool);
  await until(
    async () => {
      const { rows } = await scene.pool.query(
        'select count(*)::int n from supplier_health where failed_since is not null',
      );
      return rows[0].n === 0;
    },
    { timeoutMs: PATIENCE_MS },
  );
});

test('if every route is down the messages wait, and take the first that recovers', async (t) => {
  const scene = await makeScene(t);
  await addBackup(scene);
  takeDown(scene, 'globe');
  takeDown(scene, 'smart');
  await scene.accept(globe(200));
  await startSender(scene);
  await until(
    async () => {
      const { rows } = await scene.pool.query(
        'select count(*)::int n from supplier_health where failed_since is not null',
      );
      return rows[0].n === 2;
    },
    { timeoutMs: PATIENCE_MS },
  );
  assert.deepEqual(await scene.states(), { '0/0': 200 });
  assert.equal(scene.seen, 0);
  scene.simulator!.carrier('smart').setFaults({ bindStatus: 0 });
  await scene.untilStates({ '3/2': 200 }, PATIENCE_MS);
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 200 });
  assert.equal(seenAt(scene, 'globe'), 0);
  await auditBatches(scene.pool);
});

test('two concurrent machines split each batch once; untaken messages move, those with an outcome stay', async (t) => {
  const scene = await makeScene(t, { port: 1, chargeType: 'ReceiverPays' });
  const backup = await addBackup(scene);
  const smart = await supplierOf(scene, 'smart-1');
  const globeId = await supplierOf(scene, 'globe-1');
  const accepted = await scene.accept(globe(3_000));
  const ids = accepted.batches.map(({ batchId }) => String(batchId));
  assert.equal(ids.length, 3);
  // Of the first, 40 were granted: 38 the carrier took, two it did not. The second is untouched, the third is claimed.
  await scene.pool.query(
    `update message set send_status = 3, client_status = 1 where message_id >= $1::bigint and message_id < $1::bigint + 40
       and message_id not in ($1::bigint + 3, $1::bigint + 7)`,
    [ids[0]],
  );
  await scene.pool.query(
    `update batch set intent_mark = 40, not_taken = '{3,7}', first_sent_at = now(), success_count = 38 where batch_id = $1`,
    [ids[0]],
  );
  await scene.pool.query('update report_minute set req_success = 38, segments = 38');
  await scene.pool.query(
    `update batch set state = 1, owner = gen_random_uuid(), lease_until = now() + interval '1 hour' where batch_id = $1`,
    [ids[2]],
  );
  await scene.pool.query('update supplier set use_state = 0 where supplier_id = $1', [globeId]);
  const machines = [scene.writer, scene.writer].map(
    (writer) => new Failover({ pools: poolsOf(scene), writer, log: quiet, times }),
  );
  const moved = await Promise.all(machines.map((machine) => machine.step()));
  assert.equal(moved[0]! + moved[1]!, 962 + 1_000);
  assert.deepEqual(await Promise.all(machines.map((machine) => machine.step())), [0, 0]);
  const { rows } = await scene.pool.query(
    `select batch_id::text, message_count, state, supplier_id, intent_mark, not_taken, success_count, first_sent_at is null as untouched
     from batch order by batch_id`,
  );
  const rest = String(BigInt(ids[0]!) + 40n);
  const of = (batch_id: string | undefined, supplier_id: string, message_count: number, more: object = {}) => ({
    batch_id,
    message_count,
    state: 0,
    supplier_id,
    intent_mark: 0,
    not_taken: [],
    success_count: 0,
    untouched: true,
    ...more,
  });
  assert.deepEqual(rows, [
    of(ids[0], smart, 40, { intent_mark: 40, not_taken: [3, 7], success_count: 38, untouched: false }),
    of(rest, smart, 960),
    of(ids[1], smart, 1_000),
    of(ids[2], globeId, 1_000, { state: 1 }),
  ]);
  const { rows: routes } = await scene.pool.query(
    'select count(*)::int n from message where route_id = $1 and supplier_id = $2',
    [backup, smart],
  );
  assert.equal(routes[0].n, 1_962);
  await auditBatches(scene.pool, ['route', 'taskCounts']);
});

test('under the policy to resend only what was never granted moves: a copy of the rest may be at the carrier', async (t) => {
  const scene = await makeScene(t, { port: 1, chargeType: 'ReceiverPays', doubtPolicy: 'resend' });
  await addBackup(scene);
  const { batches } = await scene.accept(globe(100));
  await scene.pool.query(
    `update batch set intent_mark = 10, not_taken = '{2,3,4,5,6,7,8,9}', first_sent_at = now(), success_count = 2`,
  );
  await scene.pool.query('update message set send_status = 3, client_status = 1 where message_id < $1::bigint + 2', [
    String(batches[0]!.batchId),
  ]);
  await scene.pool.query('update report_minute set req_success = 2, segments = 2');
  await scene.pool.query(`update supplier set use_state = 0 where supplier_account = 'globe-1'`);
  assert.equal(await new Failover({ pools: poolsOf(scene), writer: scene.writer, log: quiet, times }).step(), 90);
  const { rows } = await scene.pool.query(
    'select message_count, state, intent_mark, not_taken from batch order by batch_id',
  );
  assert.deepEqual(rows, [
    { message_count: 10, state: BatchState.Parked, intent_mark: 10, not_taken: [2, 3, 4, 5, 6, 7, 8, 9] },
    { message_count: 90, state: BatchState.Ready, intent_mark: 0, not_taken: [] },
  ]);
  await auditBatches(scene.pool, ['route', 'taskCounts']);
});

test('a rest with different routes is split where they change; messages with no other route stay', async (t) => {
  const scene = await makeScene(t, { port: 1, chargeType: 'ReceiverPays' });
  const [smart, dito, globeId] = [
    await supplierOf(scene, 'smart-1'),
    await supplierOf(scene, 'dito-1'),
    await supplierOf(scene, 'globe-1'),
  ];
  await scene.pool.query(`update application set countries = '{PH,JP}'`);
  await scene.pool.query(`insert into price (price_id, area_code, price) values (gen_random_uuid(), 'JP', 3500)`);
  scene.routing = await RoutingTable.load(scene.pool);
  // Numbers of no known carrier go by the default route, which is Globe's, wherever they are.
  const numbers = (areaCode: string, count: number, from: number) =>
    Array.from({ length: count }, (_, n) => ({
      ...to(`6399${9_000_000 + from + n}`),
      areaCode,
      carrier: null,
      rangeHolder: null,
    }));
  const { batches } = await scene.accept([...numbers('PH', 10, 0), ...numbers('JP', 5, 10), ...numbers('PH', 5, 20)]);
  assert.equal(batches.length, 1);
  // Position 12 ended unsent at the first claim: its recipient had opted out.
  const first = String(batches[0]!.batchId);
  await scene.pool.query(`update message set send_status = 2, client_status = 7 where message_id = $1::bigint + 12`, [
    first,
  ]);
  await scene.pool.query('update batch set failed_count = 1');
  await scene.pool.query(`update report_minute set req_fail = 1, req_blocked = 1 where area_code = 'JP'`);
  await scene.pool.query(`update supplier set use_state = 0 where supplier_id = $1`, [globeId]);
  await buildRoute(scene.pool, { routeName: 'Japan', supplierId: smart });
  await scene.pool.query(`update route set area_code = 'JP' where route_name = 'Japan'`);
  // The Philippines' own routes remain, and none of them takes a number of no carrier.
  const failover = new Failover({ pools: poolsOf(scene), writer: scene.writer, log: quiet, times });
  assert.equal(await failover.step(), 4);
  const { rows } = await scene.pool.query(
    'select (batch_id - $1)::int as at, message_count, supplier_id, state, failed_count from batch order by batch_id',
    [first],
  );
  assert.deepEqual(rows, [
    { at: 0, message_count: 10, supplier_id: globeId, state: BatchState.Parked, failed_count: 0 },
    { at: 10, message_count: 5, supplier_id: smart, state: BatchState.Ready, failed_count: 1 },
    { at: 15, message_count: 5, supplier_id: globeId, state: BatchState.Parked, failed_count: 0 },
  ]);
  await auditBatches(scene.pool, ['route', 'taskCounts']);
  // Nothing changes until the routes do; then waiting messages continue.
  assert.equal(await failover.step(), 0);
  await buildRoute(scene.pool, { routeName: 'New', supplierId: dito });
  assert.equal(await failover.step(), 15);
  await auditBatches(scene.pool, ['route', 'taskCounts']);
});

test('a supplier fails once it had no bind for long enough, and heals once one was held for long enough', async (t) => {
  const scene = await makeScene(t, { port: 1 });
  const supplierId = await supplierOf(scene, 'globe-1');
  const sender = uuidV7();
  const say = (state: string, owner = sender) =>
    saveBindStates(scene.pool, owner, [{ supplierId, bindNo: 1, state, sinceMs: Date.now(), lastError: null }]);
  const judge = async () => {
    const changes = await judgeSuppliers(scene.pool, {
      failAfterMs: 600_000,
      healAfterMs: 1_800_000,
      codesFailAfterMs: 120_000,
      codesHealAfterMs: 300_000,
    });
    return changes.map(({ failing }) => failing);
  };
  // Minutes against minutes: the test's own duration is negligible.
  const pass = (minutes: number) =>
    scene.pool.query(
      `update supplier_health set bound_since = bound_since - $1 * interval '1 minute', down_since = down_since - $1 * interval '1 minute'`,
      [minutes],
    );
  // No sender is running: nothing is known.
  assert.deepEqual(await judge(), []);
  await pass(60);
  assert.deepEqual(await judge(), []);
  await say('waiting');
  assert.deepEqual(await judge(), []);
  await pass(1);
  assert.deepEqual(await judge(), []);
  await pass(8);
  assert.deepEqual((await Promise.all([judge(), judge()])).flat(), ['codes']);
  // Up for a moment: the time restarts.
  await say('bound');
  assert.deepEqual(await judge(), []);
  await say('waiting');
  assert.deepEqual(await judge(), []);
  await pass(9);
  assert.deepEqual(await judge(), []);
  await pass(2);
  assert.deepEqual((await Promise.all([judge(), judge()])).flat(), ['all']);
  // A flapping one does not count as healthy.
  for (let turn = 0; turn < 3; turn++) {
    await say('bound');
    assert.deepEqual(await judge(), []);
    await pass(29);
    assert.deepEqual(await judge(), []);
    await say('waiting');
    assert.deepEqual(await judge(), []);
  }
  // Any sender's bind will do.
  await say('bound', uuidV7());
  assert.deepEqual(await judge(), []);
  await pass(31);
  assert.deepEqual((await Promise.all([judge(), judge()])).flat(), ['none']);
  // A sender that stops reporting is dead, whatever it reported last.
  await scene.pool.query(`update bind_state set seen_at = seen_at - interval '1 minute' where owner <> $1`, [sender]);
  assert.deepEqual(await judge(), []);
  await pass(11);
  assert.deepEqual(await judge(), ['all']);
});

test('codes of a supplier without a bind take another route long before its other messages do', async (t) => {
  const scene = await makeScene(t, { smsType: 1 });
  await addBackup(scene);
  takeDown(scene, 'globe');
  const long = { failAfterMs: 3_600_000, healAfterMs: 3_600_000, codesFailAfterMs: 200, codesHealAfterMs: 3_600_000 };
  await scene.startSender({}, 12, { healthTimes: long });
  await scene.accept(globe(20));
  await scene.accept(globe(20, 20), { smsType: 2 });
  await scene.untilStates({ '0/0': 20, '3/2': 20 }, PATIENCE_MS);
  assert.deepEqual(await accountsOf(scene), { 'globe-1': 20, 'smart-1': 20 });
  const { rows } = await scene.pool.query('select distinct sms_type from message where send_status = 3');
  assert.deepEqual(rows, [{ sms_type: 1 }]);
  // What is accepted from now on is routed past it.
  await scene.accept(globe(5, 40));
  await scene.untilStates({ '0/0': 20, '3/2': 25 }, PATIENCE_MS);
  await auditBatches(scene.pool);
});

test('a text with half its parts at a lost carrier does not block the rest of its batch', async (t) => {
  const scene = await makeScene(t, { tps: 100, windowSize: 2, bindCount: 4 });
  await addBackup(scene);
  await scene.pool.query(`update supplier set tps = 2000 where supplier_account = 'smart-1'`);
  const text = 'A text of more than one segment, which leaves in parts one after the other. '.repeat(10);
  await scene.accept(globe(150).map((each, n) => ({ ...each, content: `${n} ${text}`, pkgTotal: 5 })));
  await startSender(scene);
  await scene.untilSeen(60);
  takeDown(scene, 'globe');
  await until(async () => (await scene.states())['0/0'] === undefined, { timeoutMs: PATIENCE_MS });
  await until(async () => (await scene.pool.query('select from batch where state < 2')).rowCount === 0, {
    timeoutMs: PATIENCE_MS,
  });
  const found = await scene.audit();
  assert.partialDeepStrictEqual(found, { rows: 150, waiting: 0, failed: 0, sentTwice: 0, neverSeen: 0 });
  assert.ok(found.inDoubt <= 8, `${found.inDoubt} in doubt of four binds with windows of two`);
  await auditBatches(scene.pool);
});
