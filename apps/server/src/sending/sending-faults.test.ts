import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startStopwatch, until } from '@pahatid/testkit';
import { terminateTaskMessages } from './settle/terminate-task.ts';
import { clean, makeScene, to } from './testing/make-scene.ts';

/** Messages for a throttled carrier: it counts over all its binds. */
const globe = (count: number) => Array.from({ length: count }, (_, n) => to(`63917${String(n).padStart(7, '0')}`));

test('1,500 messages into a carrier that takes 300 a second arrive within 7 s, none failed or sent twice', async (t) => {
  const scene = await makeScene(t, { tps: 1_000, carriers: { tps: 300 } });
  await scene.accept(globe(1_500));
  const watch = startStopwatch();
  await scene.startSender();
  await scene.untilStates({ '3/2': 1_500 });
  watch.assertWithin(7_000, 'the delivery of 1,500');
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 1_500 });
});

test('the pace stays at or below the account’s limit in every second', async (t) => {
  const scene = await makeScene(t, { tps: 400 });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await scene.accept(globe(1_200));
  await scene.startSender();
  await scene.untilSeen(1_200);
  const times = [...scene.simulator!.journal.entries()].map((entry) => Date.parse(entry.time));
  let most = 0;
  for (let low = 0, high = 0; high < times.length; high++) {
    while (times[high]! - times[low]! >= 1_000) low += 1;
    most = Math.max(most, high - low + 1);
  }
  const rate = (times.length - 1) / ((times.at(-1)! - times[0]!) / 1_000);
  // The carriers note a time when they get to it: what came while they were late counts for a longer second.
  const lateMs = delay.max / 1e6 + 20;
  assert.ok(most <= 400 * (1 + lateMs / 1_000), `${most} in one second; noted up to ${lateMs} ms late`);
  // How close it comes is a figure of the machine.
  t.diagnostic(`${rate.toFixed(1)} of 400 a second`);
});

test('connections lost in the middle: what is in doubt is held, resolved by its receipt, and nothing is sent twice', async (t) => {
  const scene = await makeScene(t, { windowSize: 20 });
  scene.setFaults({ disconnect: 0.02, disconnectHow: 'reset', holdReceipts: true });
  // Of one segment: of two, one alone may have arrived.
  const recipients = scene.recipients(500).filter(({ pkgTotal }) => pkgTotal === 1);
  await scene.accept(recipients);
  await scene.startSender();
  await until(async () => {
    const states = await scene.states();
    return (states['3/1'] ?? 0) + (states['1/0'] ?? 0) === 450;
  });
  const held = await scene.audit();
  assert.ok(held.inDoubt > 0);
  assert.partialDeepStrictEqual(held, { waiting: 0, sentTwice: 0, neverSeen: 0 });
  const { rows } = await scene.pool.query('select sum(unconfirmed_count)::int n from task_progress');
  assert.equal(rows[0].n, held.inDoubt);
  // Messages the carrier received are confirmed by receipt; those lost in transit stay in doubt.
  const numbers = new Set([...scene.simulator!.journal.entries({ status: 0 })].map((entry) => entry.destination));
  scene.setFaults({ disconnect: 0, holdReceipts: false });
  await scene.untilStates(numbers.size === 450 ? { '3/2': 450 } : { '3/2': numbers.size, '1/0': 450 - numbers.size });
  assert.partialDeepStrictEqual(await scene.audit(), { sentTwice: 0, neverSeen: 0, delivered: numbers.size });
});

test('under the resend policy nothing stays in doubt, with no more copies than recorded', async (t) => {
  const scene = await makeScene(t, { windowSize: 20, doubtPolicy: 'resend' });
  scene.setFaults({ disconnect: 0.01, disconnectHow: 'close' });
  await scene.accept(scene.recipients(400));
  await scene.startSender();
  await scene.untilStates({ '3/2': 400 }, 40_000);
  const found = await scene.audit();
  assert.partialDeepStrictEqual(found, { waiting: 0, inDoubt: 0, neverSeen: 0, delivered: 400 });
  const { rows } = await scene.pool.query(`select count(*)::int n from in_doubt where resolution = 'resent'`);
  assert.ok(rows[0].n > 0);
  assert.ok(found.sentTwice <= rows[0].n, `${found.sentTwice} copies, ${rows[0].n} on record`);
});

test('no answer in time is in doubt, and a late answer still settles it', async (t) => {
  const scene = await makeScene(t);
  await scene.pool.query(`update supplier set profile = profile || '{"responseTimeoutMs": 1000}'`);
  scene.setFaults({ lateResponse: 1, lateResponseMs: 3_000, holdReceipts: true });
  await scene.accept(scene.recipients(30));
  await scene.startSender();
  await scene.untilStates({ '3/1': 30 });
  // Each was in doubt before, for however short a time.
  const { rows } = await scene.pool.query('select resolution, count(*)::int as n from in_doubt group by 1');
  assert.deepEqual(rows, [{ resolution: 'response', n: 30 }]);
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, accepted: 30 });
});

test('database connections cut again and again lose nothing and send nothing twice', async (t) => {
  const scene = await makeScene(t, { windowSize: 20, tps: 700 }, { strict: false });
  await scene.accept(scene.recipients(2_000));
  await scene.startSender();
  const storm = (async () => {
    for (let i = 0; i < 12; i++) {
      await sleep(60);
      await scene.pool
        .query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        )
        .catch(() => {});
    }
  })();
  await storm;
  await scene.untilStates({ '3/2': 2_000 });
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 2_000 });
});

test('a paused task stops within 2 s and goes on; a terminated one ends unsent and uncharged', async (t) => {
  const scene = await makeScene(t, { tps: 100 });
  await scene.accept(scene.recipients(2_000));
  await scene.startSender();
  await scene.untilSeen(100);
  const pausing = startStopwatch();
  await scene.pool.query('update task set paused = 1');
  await until(async () => (await scene.pool.query('select from batch where state = 1')).rowCount === 0);
  pausing.assertWithin(2_000, 'the pause');
  const paused = scene.seen;
  await sleep(500);
  assert.equal(scene.seen, paused);
  await scene.pool.query('update task set paused = 0');
  await scene.untilSeen(paused + 100);
  const ending = startStopwatch();
  await scene.pool.query('update task set task_status = 9');
  const ended = await until(async () => {
    const { openBatches } = await terminateTaskMessages(scene.pool, scene.writer, scene.taskId);
    return openBatches === 0;
  });
  assert.ok(ended);
  ending.assertWithin(2_000, 'the end');
  await until(async () => (await scene.states())['3/1'] === undefined);
  const found = await scene.audit();
  assert.partialDeepStrictEqual(found, clean);
  assert.equal(found.delivered + found.failed, 2_000);
  const { rows } = await scene.pool.query(
    `select distinct client_status, deal_result from message where send_status = 2`,
  );
  assert.deepEqual(rows, [{ client_status: 7, deal_result: 'TERMINATED' }]);
});

test('a carrier that accepts everything without a response gets one window, then one message per new bind', async (t) => {
  const scene = await makeScene(t, { windowSize: 20, bindCount: 1, tps: 1_000 });
  await scene.pool.query(`update supplier set profile = profile || '{"responseTimeoutMs": 1000}'`);
  scene.setFaults({ lostResponse: 1, holdReceipts: true });
  await scene.accept(globe(500));
  await scene.startSender();
  // A window of 20, and one message in each of the two sessions after it.
  await scene.untilSeen(22);
  assert.ok(scene.seen <= 23, `${scene.seen} messages`);
  const { rows } = await scene.pool.query(
    `select last_error from bind_state b join supplier s using (supplier_id) where s.carrier = 'Globe'`,
  );
  assert.match(rows[0]?.last_error ?? 'response_timeout', /^response_timeout/);
  scene.setFaults({ lostResponse: 0 });
  const atStake = scene.seen + 1;
  await until(async () => (await scene.states())['0/0'] === undefined);
  const inDoubt = async () => (await scene.states())['1/0'] ?? 0;
  await until(async () => ((await scene.states())['3/1'] ?? 0) + (await inDoubt()) === 500);
  assert.ok((await inDoubt()) >= 20 && (await inDoubt()) <= atStake, `${await inDoubt()} in doubt`);
  scene.setFaults({ holdReceipts: false });
  await scene.untilStates({ '3/2': 500 });
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 500 });
});

test('full queues of phones delay their own messages, and nothing else', async (t) => {
  const scene = await makeScene(t, { tps: 1_000 });
  scene.setFaults({ errors: [{ status: 0x14, rate: 0.2 }] });
  await scene.accept([...globe(2_000), to('639179999914')]);
  await scene.startSender({ firstRetryMs: 100 });
  await scene.untilStates({ '3/2': 2_000, '0/0': 1 });
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, waiting: 1, delivered: 2_000 });
  const refused = [...scene.simulator!.journal.entries()].filter(({ status }) => status === 0x14);
  assert.ok(refused.length > 300);
});

test('a message that makes the carrier end its sessions fails, and the others arrive', async (t) => {
  const scene = await makeScene(t, { bindCount: 1 });
  await scene.pool.query(`update supplier set profile = profile || '{"statusClasses": {"0x400": "bindFatal"}}'`);
  await scene.accept([to('639179999918'), ...globe(100)]);
  await scene.startSender({ firstRetryMs: 10 });
  await scene.untilStates({ '3/2': 100, '2/5': 1 }, 60_000);
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 100, failed: 1 });
  const { rows } = await scene.pool.query('select carrier_code, deal_result from message where send_status = 2');
  assert.deepEqual(rows, [{ carrier_code: '0x400', deal_result: 'REFUSED_BY_CARRIER' }]);
  assert.equal([...scene.simulator!.journal.entries({ destination: '639179999918' })].length, 3);
});
