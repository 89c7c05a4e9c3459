/** P11 to P13: receipts that never arrive, receipts for no message, and messages of which nothing is known. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '@pahatid/testkit';
import type { Submit } from './carrier-process.ts';
import { makeStaffedWorld } from './journey.ts';
import { expireReceipts } from './server-parts.ts';
import { patience, size } from './sizes.ts';
import { World } from './world.ts';

const timeout = patience(90_000);
const hourMs = 3_600_000;

const collect = async (world: World): Promise<Submit[]> => {
  const all: Submit[] = [];
  for await (const submit of world.carriers.submits()) if (submit.status === 0) all.push(submit);
  return all;
};

const reportAll = async (world: World, submits: readonly Submit[]): Promise<void> => {
  for (let from = 0; from < submits.length; from += 100) {
    await Promise.all(
      submits
        .slice(from, from + 100)
        .map(({ carrier, id, destination }) =>
          world.carriers.sendReceipt(carrier, { id, destination, stat: 'DELIVRD' }),
        ),
    );
  }
};

const openInbox = async (world: World): Promise<number> =>
  (await world.pool.query('select from receipt_inbox where matched_at is null')).rowCount ?? 0;

describe('P11 to P13', { concurrency: 2, timeout }, () => {
  test('P11: no receipt in 72 h is unknown and counted so; one that comes later still corrects it', {
    timeout,
  }, async (t) => {
    const count = size(500, 20_000);
    const world = await World.make(t, { tps: 2_000 });
    await world.carriers.setFaults({ lostReceipt: 1 });
    await world.startSender();
    await world.accept(count);
    await world.untilQuiet({ receiptsWithheld: true });

    const expireAt = async (afterMs: number): Promise<void> => {
      while ((await expireReceipts(world.pool, world.scene.writer, Date.now() + afterMs)).more);
    };
    await expireAt(71 * hourMs);
    assert.equal((await world.states())['3/6'], undefined, 'unknown before the deadline');
    await expireAt(73 * hourMs);
    const silent = await world.audit();
    assert.equal(silent.unknown, count);
    const { rows } = await world.pool.query<{ n: number }>('select sum(receipt_unknown)::int n from report_minute');
    assert.equal(rows[0]?.n, count, 'receiptUnknownNum');

    const submits = await collect(world);
    await reportAll(world, submits);
    await until(async () => (await world.states())['3/2'] === count, { timeoutMs: patience(30_000), everyMs: 100 });
    const late = await world.audit();
    assert.equal(late.delivered, count);
    assert.equal(late.unknown, 0);
  });

  test('P12: a receipt of an unknown id is kept, tried against messages in doubt, and never dropped', {
    timeout,
  }, async (t) => {
    const count = size(150, 5_000);
    const strangers = size(40, 1_000);
    const world = await World.make(t, { profile: { responseTimeoutMs: 1_000 }, tps: 600 });
    await world.carriers.setFaults({ lostResponse: 1, lostReceipt: 1 });
    await world.startSender();
    await world.accept(count);
    await until(async () => (await world.states())['1/0'] === count, { timeoutMs: patience(60_000), everyMs: 100 });
    const submits = await collect(world);
    await reportAll(world, submits);
    for (let n = 0; n < strangers; n++) {
      await world.carriers.sendReceipt('globe', { id: `99${n}`, destination: `63917666${String(n).padStart(4, '0')}` });
    }
    await until(async () => (await world.states())['3/2'] === count, { timeoutMs: patience(40_000), everyMs: 200 });
    await world.untilQuiet();
    const verdict = await world.audit();
    t.diagnostic(`${verdict.doubted} in doubt resolved by ids nobody knew, ${strangers} receipts of nobody kept`);
    assert.equal(verdict.doubted, count);
    assert.equal(verdict.delivered, count);
    assert.equal(await openInbox(world), strangers);
  });

  test('P13: in doubt is shown as unconfirmed, its receipt settles it, and nothing is sent again', {
    timeout,
  }, async (t) => {
    const count = size(1_000, 20_000);
    const { world, journey } = await makeStaffedWorld(t, { profile: { responseTimeoutMs: 1_000 }, tps: 600 });
    await world.carriers.setFaults({ lostResponse: 0.05, holdReceipts: true });
    const task = await journey.prepare(count, 'In doubt');
    await journey.confirm(task);
    const shown = await until(
      async () => {
        const now = await journey.look(task.taskId);
        return now.successCount + now.unconfirmedCount === count && now.unconfirmedCount > 0 && now;
      },
      { timeoutMs: patience(40_000), everyMs: 100, what: 'messages in doubt' },
    );
    const details = await journey.call('GET /tasks/:taskId/details', {
      params: { taskId: task.taskId },
      query: { sendStatus: '1', limit: 200 },
    });
    assert.equal(details.items.length, Math.min(200, shown.unconfirmedCount));
    for (const item of details.items) assert.equal(item.dealResult, 'UNCONFIRMED');
    await world.carriers.clearFaults();
    await until(async () => (await journey.look(task.taskId)).unconfirmedCount === 0, {
      timeoutMs: patience(40_000),
      everyMs: 200,
      what: 'receipts to settle what was in doubt',
    });
    await world.untilQuiet();
    const verdict = await world.audit();
    t.diagnostic(`${shown.unconfirmedCount} of ${count} were shown as unconfirmed`);
    assert.equal(verdict.delivered, count);
    assert.equal(verdict.extraCopies, 0);
  });
});
