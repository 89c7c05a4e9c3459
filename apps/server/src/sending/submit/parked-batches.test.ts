/** Batches that may not be sent now: parked by the claim that meets them, woken when their reason ends (decision 091). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { getFunds, inScope, updateApplication, withTransaction } from '@pahatid/db';
import { buildUser } from '@pahatid/db/builders';
import { claimBatches, findReadyQueues } from '@pahatid/db/queries/batch-claims';
import { parkHeld, wakeBatch } from '@pahatid/db/queries/batch-parking';
import { updateCustomer } from '@pahatid/db/queries/customer-admin';
import { resumeCustomer, resumeSuspended } from '@pahatid/db/queries/customer-suspending';
import { setQuietHours } from '@pahatid/db/queries/quiet-hours';
import { switchSupplier } from '@pahatid/db/queries/supplier-admin';
import { setPaused } from '@pahatid/db/queries/tasks';
import {
  releaseLimitedTasks,
  resumeThresholdApplications,
  resumeThresholdTasks,
} from '@pahatid/db/queries/threshold-holding';
import { ParkReason } from '@pahatid/domain';
import { until } from '@pahatid/testkit';
import type { PoolClient } from 'pg';
import { pino } from 'pino';
import { Failover } from '../route/failover.ts';
import { terminateTaskMessages } from '../settle/terminate-task.ts';
import { clean, makeScene } from '../testing/make-scene.ts';
import type { Scene } from '../testing/scene.ts';
import { ParkedWaker } from './wake-parked.ts';

const ruleId = '00000000-0000-4000-8000-000000000001';
const hourMs = 3_600_000;
const NOON = 12;

/** Moves the database's clock to noon in Manila. */
const toNoonMs = (): number => NOON * hourMs - ((Date.now() + 8 * hourMs) % (24 * hourMs));

const suppliersOf = async (scene: Scene): Promise<string[]> => {
  const { rows } = await scene.pool.query<{ id: string }>('select supplier_id as id from supplier order by 1');
  return rows.map(({ id }) => id);
};

/** Parks as a sender does whose claim meets them; returns how many. */
const park = async (scene: Scene, hour = NOON): Promise<number> => {
  const { queues } = await findReadyQueues(scene.pool, await suppliersOf(scene), new Map());
  return await withTransaction(scene.pool, (tx) => parkHeld(tx, queues, hour));
};

const statesOf = async (scene: Scene): Promise<Record<string, number>> => {
  const { rows } = await scene.pool.query<{ state: number; n: number }>(
    'select state, count(*)::int as n from batch group by 1 order by 1',
  );
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
};

interface Cause {
  readonly name: string;
  readonly reason: ParkReason;
  readonly smsType?: 1 | 2 | 3;
  /** Batches of no task, as software sends them. */
  readonly ofSoftware?: boolean;
  readonly hour?: number;
  /** What makes it wait. */
  readonly hold: (scene: Scene) => Promise<unknown>;
  /** The function of the action that ends it, in its transaction. */
  readonly act?: (tx: PoolClient, scene: Scene) => Promise<unknown>;
  /** The same without it, as if the action had been forgotten. */
  readonly end: (scene: Scene) => Promise<unknown>;
}

const run = (text: string) => (scene: Scene) =>
  scene.pool.query(text.replaceAll('$app', `'${scene.appId}'`).replaceAll('$rule', `'${ruleId}'`));
/** A scene with a rule and a user, whose actions end reasons. */
const makeCauseScene = async (t: TestContext, smsType: 1 | 2 | 3 = 2) => {
  const scene = await makeScene(t, { smsType });
  await scene.pool.query(
    `insert into threshold (threshold_id, customer_id, kind, use_state, period, unit, limit_at) values ($1, $2, 'volume', 0, 'day', 'messages', 1)`,
    [ruleId, scene.customerId],
  );
  return scene;
};

const enableApplication = async (tx: PoolClient, { customerId, appId }: Scene): Promise<void> => {
  const { userId } = await buildUser(tx, { customerId, role: 'owner' });
  await updateApplication(tx, customerId, appId, { useState: 1 }, { seen: undefined, userId });
};

const causes: readonly Cause[] = [
  {
    name: 'a suspended customer',
    reason: ParkReason.Customer,
    hold: run('update customer set use_state = 0'),
    act: (tx, { customerId }) => resumeCustomer(tx, customerId),
    end: run('update customer set use_state = 1'),
  },
  {
    name: 'messages of software, of a suspended customer',
    reason: ParkReason.Customer,
    ofSoftware: true,
    hold: run('update customer set use_state = 0'),
    act: (tx, { customerId }) => resumeCustomer(tx, customerId),
    end: run('update customer set use_state = 1'),
  },
  {
    name: 'a disabled application',
    reason: ParkReason.Application,
    ofSoftware: true,
    hold: run('update application set use_state = 0'),
    act: enableApplication,
    end: run('update application set use_state = 1'),
  },
  {
    name: 'an application paused by a rule',
    reason: ParkReason.Application,
    ofSoftware: true,
    hold: run('update application set paused_by = $rule'),
    act: (tx, { customerId }) => resumeThresholdApplications(tx, customerId, ruleId),
    end: run('update application set paused_by = null'),
  },
  {
    name: 'a paused task',
    reason: ParkReason.Task,
    hold: run('update task set paused = 1'),
    act: (tx, { taskId, customerId }) =>
      setPaused(tx, { taskId, customerId, from: [5], paused: 0, reason: null, takesOver: false }),
    end: run('update task set paused = 0'),
  },
  {
    name: 'a task paused by a suspension',
    reason: ParkReason.Task,
    hold: run(`update task set paused = 1, suspended = true, status_reason = 'x'`),
    act: (tx, { customerId }) => resumeSuspended(tx, customerId, 'x'),
    end: run('update task set paused = 0'),
  },
  {
    name: 'a task paused by a rule',
    reason: ParkReason.Task,
    hold: run(`update task set paused = 1, threshold_id = $rule, status_reason = 'THRESHOLD_PAUSED'`),
    act: (tx, { customerId }) => resumeThresholdTasks(tx, customerId, ruleId),
    end: run('update task set paused = 0'),
  },
  {
    name: 'a task at the limit of a volume',
    reason: ParkReason.Task,
    hold: run(`update task set paused = 1, held_until = now(), status_reason = 'VOLUME_LIMITED'`),
    act: (tx) => releaseLimitedTasks(tx),
    end: run('update task set paused = 0'),
  },
  {
    name: 'messages for later',
    reason: ParkReason.Time,
    ofSoftware: true,
    hold: run(`update batch set not_before = now() + interval '1 hour'`),
    end: run('update batch set not_before = now()'),
  },
  {
    name: 'quiet hours, which the customer shortens',
    reason: ParkReason.QuietHours,
    smsType: 3,
    ofSoftware: true,
    hold: run('update customer set quiet_hours_exempt = false, quiet_from = 9, quiet_to = 8'),
    act: (tx, { customerId }) => setQuietHours(tx, customerId, { from: 21, to: 7 }),
    end: run('update customer set quiet_from = 21, quiet_to = 7'),
  },
  {
    name: 'quiet hours, of which the staff exempt the customer',
    reason: ParkReason.QuietHours,
    smsType: 3,
    hold: run('update customer set quiet_hours_exempt = false, quiet_from = 9, quiet_to = 8'),
    act: async (tx, { customerId }) => {
      const { rows } = await tx.query('select version from customer where customer_id = $1', [customerId]);
      await updateCustomer(tx, customerId, rows[0].version, { quietHoursExempt: true });
    },
    end: run('update customer set quiet_hours_exempt = true'),
  },
];

for (const cause of causes) {
  const { name, reason, hold, act, end } = cause;
  const prepare = async (scene: Scene): Promise<number> => {
    await scene.accept(scene.recipients(30), cause.ofSoftware ? { taskId: null } : {});
    await hold(scene);
    const before = await getFunds(scene.pool, scene.customerId);
    assert.equal(await park(scene), 3);
    const { rows } = await scene.pool.query('select distinct state, parked_for from batch');
    assert.deepEqual(rows, [{ state: -1, parked_for: reason }]);
    assert.deepEqual(await getFunds(scene.pool, scene.customerId), before, 'the same is reserved');
    assert.equal(before.reserved > 0, cause.ofSoftware === true);
    return before.reserved;
  };

  if (act !== undefined)
    test(`${name}: parked, left alone by claims, and woken by the action that ends it`, async (t) => {
      const scene = await makeCauseScene(t, cause.smsType);
      const reserved = await prepare(scene);
      assert.equal(await park(scene), 0, 'nothing is looked at again');
      const waker = new ParkedWaker(scene.pool, toNoonMs());
      assert.equal(await waker.step(), 0, 'not before its end');
      await withTransaction(scene.pool, (tx) => act(tx, scene));
      assert.deepEqual(await statesOf(scene), { 0: 3 });
      assert.equal((await getFunds(scene.pool, scene.customerId)).reserved, reserved);
      await scene.startSender();
      await scene.untilStates({ '3/2': 30 });
      assert.partialDeepStrictEqual(await scene.audit(), { ...clean, rows: 30 });
      assert.equal((await getFunds(scene.pool, scene.customerId)).reserved, 0);
    });

  test(`${name}: the job alone wakes it when the action did not`, async (t) => {
    const scene = await makeCauseScene(t, cause.smsType);
    await prepare(scene);
    await end(scene);
    assert.deepEqual(await statesOf(scene), { '-1': 3 });
    const wakers = [1, 2, 3].map(() => new ParkedWaker(scene.pool, toNoonMs()));
    const woken = await Promise.all(wakers.map((waker) => waker.step()));
    assert.equal(
      woken.reduce((sum, n) => sum + n),
      3,
      'each once',
    );
    assert.deepEqual(await statesOf(scene), { 0: 3 });
  });

  test(`${name}: two senders side by side send each message once after it ended`, async (t) => {
    const scene = await makeCauseScene(t, cause.smsType);
    await scene.accept(scene.recipients(60), cause.ofSoftware ? { taskId: null } : {});
    await hold(scene);
    await Promise.all([scene.startSender(), scene.startSender()]);
    await until(async () => (await statesOf(scene))[-1] === 3, { what: 'three parked batches', timeoutMs: 15_000 });
    assert.equal(scene.seen, 0);
    await end(scene);
    await scene.untilStates({ '3/2': 60 });
    assert.partialDeepStrictEqual(await scene.audit(), { ...clean, rows: 60 });
  });
}

test('an action of the customer wakes its own batches under its own role', async (t) => {
  const scene = await makeScene(t);
  await scene.accept(scene.recipients(30), { taskId: null });
  await scene.pool.query('update application set use_state = 0');
  await park(scene);
  const { customerId, appId } = scene;
  const { userId } = await buildUser(scene.pool, { customerId, role: 'owner' });
  await inScope(scene.pool, { customerId }, (tx) =>
    updateApplication(tx, customerId, appId, { useState: 1 }, { seen: undefined, userId }),
  );
  assert.deepEqual(await statesOf(scene), { 0: 3 });
});

test('a batch with several reasons is parked for one after the other', async (t) => {
  const scene = await makeScene(t, { smsType: 3 });
  await scene.accept(scene.recipients(3));
  await scene.pool.query('update customer set use_state = 0, quiet_hours_exempt = false');
  await scene.pool.query('update task set paused = 1');
  const reasons: number[] = [];
  for (const end of ['update customer set use_state = 1', 'update task set paused = 0', 'select']) {
    assert.equal(await park(scene, 23), 3);
    const { rows } = await scene.pool.query('select distinct parked_for from batch');
    reasons.push(...rows.map((row) => row.parked_for));
    await scene.pool.query(end);
    await new ParkedWaker(scene.pool, toNoonMs()).step();
  }
  assert.deepEqual(reasons, [ParkReason.Customer, ParkReason.Task, ParkReason.QuietHours]);
  assert.deepEqual(await statesOf(scene), { 0: 3 });
});

test('a customer with parked and ready batches: the ready ones behind them go, the others are met once', async (t) => {
  const scene = await makeScene(t);
  await scene.accept(scene.recipients(30));
  await scene.pool.query('update task set paused = 1');
  await scene.accept(scene.recipients(30, 30), { taskId: null });
  await scene.startSender();
  await scene.untilStates({ '0/0': 30, '3/2': 30 });
  assert.deepEqual(await statesOf(scene), { '-1': 3, 2: 3 });
});

test('a terminated task ends its parked batches', async (t) => {
  const scene = await makeScene(t);
  await scene.accept(scene.recipients(30));
  await scene.pool.query('update task set paused = 1');
  assert.equal(await park(scene), 3);
  await scene.pool.query('update task set task_status = 9');
  const result = await terminateTaskMessages(scene.pool, scene.writer, scene.taskId);
  assert.deepEqual(result, { terminated: 30, openBatches: 0 });
});

test('a sender killed after it parked: another wakes and sends, each message once', async (t) => {
  const scene = await makeScene(t, {}, { strict: false });
  await scene.accept(scene.recipients(60));
  await scene.pool.query('update task set paused = 1');
  const child = await scene.spawnSender(scene.database.url);
  await until(async () => (await statesOf(scene))[-1] === 3, { what: 'three parked batches', timeoutMs: 15_000 });
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  await scene.pool.query('update task set paused = 0');
  await scene.startSender();
  await scene.untilStates({ '3/2': 60 });
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, rows: 60 });
});

test('parks and wakes at the same time keep what the customer has reserved', async (t) => {
  const scene = await makeScene(t);
  for (let n = 0; n < 20; n++) await scene.accept(scene.recipients(3, 3 * n), { taskId: null });
  const { reserved } = await getFunds(scene.pool, scene.customerId);
  await scene.pool.query('update application set use_state = 0');
  const { rows } = await scene.pool.query<{ id: string }>('select batch_id as id from batch');
  for (let round = 0; round < 5; round++)
    await Promise.all([
      park(scene),
      park(scene),
      ...rows.slice(0, 20).map(({ id }) => wakeBatch(scene.pool, BigInt(id))),
    ]);
  assert.equal((await getFunds(scene.pool, scene.customerId)).reserved, reserved);
  await park(scene);
  assert.equal((await getFunds(scene.pool, scene.customerId)).reserved, reserved);
  const { rows: costs } = await scene.pool.query('select amount::int from parked_cost');
  assert.deepEqual(costs, [{ amount: reserved }]);
});

test('without any route a batch is parked for its supplier, and woken when that is enabled or the routes change', async (t) => {
  const scene = await makeScene(t);
  const failover = new Failover({
    pools: { control: scene.pool, data: scene.pool },
    writer: scene.writer,
    log: pino({ level: 'silent' }),
  });
  await scene.accept(scene.recipients(30), { taskId: null });
  const ids = await suppliersOf(scene);
  for (const id of ids) await withTransaction(scene.pool, (tx) => switchSupplier(tx, id, 0));
  const { reserved } = await getFunds(scene.pool, scene.customerId);
  assert.equal(await failover.step(), 0);
  assert.deepEqual(await statesOf(scene), { '-1': 3 });
  assert.equal((await getFunds(scene.pool, scene.customerId)).reserved, reserved);
  assert.equal(await new ParkedWaker(scene.pool).step(), 0);
  // Under the same routing it stays.
  assert.equal(await failover.step(), 0);
  assert.deepEqual(await statesOf(scene), { '-1': 3 });
  await withTransaction(scene.pool, (tx) => switchSupplier(tx, ids[0]!, 1));
  assert.equal((await statesOf(scene))[0], 1, 'its own');
  await scene.pool.query('update supplier set use_state = 1');
  assert.equal(await new ParkedWaker(scene.pool).step(), 2);
  assert.deepEqual(await statesOf(scene), { 0: 3 });
});

test('one claim serves many customers, at most as many messages as it has room for, codes and early turns first', async (t) => {
  const scene = await makeScene(t);
  for (let n = 0; n < 4; n++) await scene.accept(scene.recipients(30, 30 * n));
  const { queues } = await findReadyQueues(scene.pool, await suppliersOf(scene), new Map());
  assert.equal(queues.length, 3);
  const turns = queues.map((queue) => ({ ...queue, batches: 2 }));
  const claim = (messages: number) =>
    withTransaction(scene.pool, (tx) =>
      claimBatches(tx, { owner: ruleId, turns, messages, except: [], manilaHour: NOON, leaseMs: 7_000 }),
    );
  const first = await claim(25);
  assert.deepEqual(
    first.rows.map(({ supplierId, messageCount }) => [supplierId, messageCount]),
    [
      [queues[0]!.supplierId, 10],
      [queues[0]!.supplierId, 10],
      [queues[1]!.supplierId, 10],
    ],
  );
  assert.equal((await claim(1_000)).rows.length, 6);
  assert.equal((await claim(1_000)).rows.length, 3);
  assert.deepEqual(await statesOf(scene), { 1: 12 });
});
