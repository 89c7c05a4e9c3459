import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@pahatid/testkit';
import { expireReceipts } from './receipts/expire-receipts.ts';
import { clean, makeScene, to } from './testing/make-scene.ts';

test('2,000 messages: rows, counters, statistics and money agree with the carriers’ journal', async (t) => {
  const scene = await makeScene(t);
  await scene.accept(scene.recipients(2_000));
  await scene.startSender();
  await scene.untilStates({ '3/2': 2_000 });
  const all = { rows: 2_000, failed: 0, accepted: 2_000, delivered: 2_000, undelivered: 0 };
  assert.deepEqual(await scene.audit(), { ...clean, ...all });
  await until(
    async () => {
      const { rows } = await scene.pool.query(
        'select sum(accepted)::int accepted, sum(refused)::int refused, sum(receipts)::int receipts from traffic',
      );
      return rows[0].accepted === 2_000 && rows[0].refused === 0 && rows[0].receipts === 2_000;
    },
    { what: 'the traffic that staff see to be the same' },
  );
  const routes = await scene.pool.query('select count(*)::int n from dlr_route');
  assert.equal(routes.rows[0].n, 2_200);
  const batches = await scene.pool.query(
    'select distinct state, intent_mark = message_count whole, not_taken from batch',
  );
  assert.deepEqual(batches.rows, [{ state: 2, whole: true, not_taken: [] }]);
});

test('refusals: permanent ones immediately with the carrier code, temporary ones up to a limit', async (t) => {
  const scene = await makeScene(t);
  const refused = { '639179999911': '0x0B', '639179999912': '0x0A', '639179999917': '0x01', '639179999913': '0x08' };
  await scene.accept([...scene.recipients(100), ...Object.keys(refused).map((msisdn) => to(msisdn))]);
  await scene.startSender({ firstRetryMs: 20 });
  await scene.untilStates({ '3/2': 100, '2/5': 4 });
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, failed: 4, delivered: 100 });
  const { rows } = await scene.pool.query(
    'select msisdn, carrier_code, deal_result from message where send_status = 2',
  );
  for (const row of rows) assert.equal(row.carrier_code, refused[row.msisdn as keyof typeof refused]);
  const tried = rows.find((row) => row.msisdn === '639179999913');
  assert.equal(tried.deal_result, 'TRIES_USED_UP');
  const tries = [...scene.simulator!.journal.entries({ destination: '639179999913' })];
  assert.equal(tries.length, 5);
});

test('a fault that passes costs nothing: every message arrives once, in parts of the same bind', async (t) => {
  const scene = await makeScene(t);
  for (const carrier of scene.simulator!.carriers.values()) {
    carrier.setFaults({
      errors: [
        { status: 0x08, rate: 0.05 },
        { status: 0x58, rate: 0.03 },
      ],
      genericNack: 0.01,
    });
  }
  await scene.accept(scene.recipients(1_000));
  await scene.startSender({ firstRetryMs: 20 });
  await scene.untilStates({ '3/2': 1_000 });
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, accepted: 1_000, delivered: 1_000 });
});

test('receipts before their response, repeated, and contradictory are each counted once', async (t) => {
  const scene = await makeScene(t);
  for (const carrier of scene.simulator!.carriers.values())
    carrier.setFaults({ earlyReceipt: 0.3, duplicateReceipt: 0.3 });
  const special = ['639179999910', '639179999907', '639179999909', '639179999901', '639179999903'];
  await scene.accept([...scene.recipients(1_000), ...special.map((msisdn) => to(msisdn))]);
  await scene.startSender();
  // Undelivered and then delivered, enroute and then delivered; a receipt for no message; undelivered; rejected.
  await scene.untilStates({ '3/2': 1_002, '3/6': 1, '3/3': 1, '3/5': 1 });
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 1_002, undelivered: 2 });
  await until(async () => {
    const { rows } = await scene.pool.query('select count(*)::int n from receipt_inbox where matched_at is null');
    return rows[0].n === 0;
  });
});

test('a window of one works, also for texts of several segments', async (t) => {
  const scene = await makeScene(t, { windowSize: 1, bindCount: 1 });
  await scene.accept(scene.recipients(60));
  await scene.startSender();
  await scene.untilStates({ '3/2': 60 });
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 60 });
  for (const entry of scene.simulator!.journal.entries())
    assert.ok(entry.text.startsWith('Message') || entry.part === 2);
});

test('ReceiverPays is charged on arrival alone', async (t) => {
  const scene = await makeScene(t, { chargeType: 'ReceiverPays' });
  await scene.accept([...scene.recipients(100), to('639179999901'), to('639179999921')]);
  await scene.startSender();
  await scene.untilStates({ '3/2': 100, '3/3': 1, '3/1': 1 });
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 100 });
  const { rows } = await scene.pool.query(`select sum(segments)::int s from ledger where kind = 'charge'`);
  assert.equal(rows[0].s, 110);
});

test('S59 a refusal that comes one second before a message would be submitted is honoured, in the middle of a batch', async (t) => {
  // One account at 20 per second: the last message of the batch is sent after five seconds.
  const scene = await makeScene(t, { smsType: 3, tps: 20 });
  const recipients = Array.from({ length: 100 }, (_, n) => to(`6391700000${String(n).padStart(2, '0')}`));
  await scene.accept(recipients);
  await scene.startSender();
  await scene.untilSeen(20);
  const refusing = recipients.slice(scene.seen + 20);
  assert.ok(refusing.length > 40, 'they are a second away, and all in the batch that is under way');
  await scene.pool.query(
    `insert into opt_out select $1, msisdn, 'reply', 'T', clock_timestamp() from unnest($2::text[]) as msisdn`,
    [scene.customerId, refusing.map(({ msisdn }) => msisdn)],
  );
  await scene.untilStates({ '3/2': 100 - refusing.length, '2/7': refusing.length });
  const reached = new Set([...scene.simulator!.journal.entries()].map(({ destination }) => destination));
  assert.deepEqual(
    refusing.filter(({ msisdn }) => reached.has(msisdn)),
    [],
  );
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, failed: refusing.length });
});

test('S59 a recipient that opted out after the task was accepted gets no marketing', async (t) => {
  const scene = await makeScene(t, { smsType: 3 });
  const recipients = scene.recipients(300);
  await scene.accept(recipients);
  for (const { msisdn } of recipients.slice(0, 50)) {
    await scene.pool.query(`insert into opt_out values ($1, $2, 'reply', 'T', now())`, [scene.customerId, msisdn]);
  }
  await scene.startSender();
  await scene.untilStates({ '3/2': 250, '2/7': 50 });
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, failed: 50, delivered: 250 });
  const { rows } = await scene.pool.query('select distinct deal_result from message where send_status = 2');
  assert.deepEqual(rows, [{ deal_result: 'BLOCKED_OPTED_OUT' }]);
});

test('S59 marketing waits for the morning while other messages go', async (t) => {
  const scene = await makeScene(t, { smsType: 3 });
  await scene.pool.query('update customer set quiet_hours_exempt = false');
  await scene.accept(scene.recipients(60));
  await scene.accept(scene.recipients(40, 60), { smsType: 2 });
  const night = await scene.startSender({}, 23);
  await scene.untilStates({ '3/2': 40, '0/0': 60 });
  await night.stop();
  assert.equal(scene.seen, 44, 'forty messages, four of them of two segments, and nothing of marketing');
  await scene.startSender({}, 7);
  await scene.untilStates({ '3/2': 100 });
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 100 });
});

test('S59 longer quiet hours of a customer hold its marketing too, also if extended during sending', async (t) => {
  const scene = await makeScene(t, { smsType: 3, tps: 500 });
  await scene.pool.query('update customer set quiet_hours_exempt = false, quiet_from = 19, quiet_to = 9');
  await scene.accept(scene.recipients(30));
  for (const hour of [19, 8]) {
    const night = await scene.startSender({}, hour);
    await assert.rejects(
      until(() => scene.seen > 0, { timeoutMs: 1_000 }),
      `at ${hour}`,
    );
    await night.stop();
  }
  const day = await scene.startSender({}, 9);
  await scene.untilStates({ '3/2': 30 });
  await scene.accept(scene.recipients(3_000, 30));
  await until(() => scene.seen > 200);
  await scene.pool.query('update customer set quiet_from = 9, quiet_to = 8');
  await until(async () => (await scene.pool.query('select from batch where state = 1')).rowCount === 0);
  const { seen } = scene;
  assert.ok(seen < 3_000, `${seen} were sent`);
  await assert.rejects(until(() => scene.seen > seen, { timeoutMs: 1_000 }));
  await scene.pool.query('update customer set quiet_from = 21, quiet_to = 7');
  await scene.untilStates({ '3/2': 3_030 });
  await day.stop();
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 3_030 });
});

test('S59 a reply of T stops that customer’s messages and keeps the evidence', async (t) => {
  const scene = await makeScene(t);
  await scene.accept([to('639170000001')]);
  await scene.startSender();
  await scene.untilStates({ '3/2': 1 });
  scene.simulator!.carrier('globe').sendInbound({ from: '639170000001', to: 'PAHATID', text: ' t ' });
  const found = await until(async () => {
    const { rows } = await scene.pool.query('select customer_id, msisdn, evidence from opt_out');
    return rows[0];
  });
  assert.deepEqual(found, { customer_id: scene.customerId, msisdn: '639170000001', evidence: ' t ' });
  const { rows } = await scene.pool.query('select content from inbound');
  assert.deepEqual(rows, [{ content: ' t ' }]);
});

test('no receipt by the deadline is unknown; a later one still corrects it', async (t) => {
  const scene = await makeScene(t);
  const { messageIds } = await scene.accept([to('639179999921'), to('639170000001')]);
  await scene.startSender();
  await scene.untilStates({ '3/1': 1, '3/2': 1 });
  const hours = 3_600_000;
  const early = await expireReceipts(scene.pool, scene.writer, Date.now() + 71 * hours);
  assert.equal(early.messages, 0);
  const expired = await expireReceipts(scene.pool, scene.writer, Date.now() + 73 * hours);
  assert.deepEqual([expired.messages, expired.more], [1, false]);
  await scene.untilStates({ '3/6': 1, '3/2': 1 });
  assert.partialDeepStrictEqual(await scene.audit(), clean);
  const { rows } = await scene.pool.query('select carrier_message_id id from dlr_route where message_id = $1', [
    String(messageIds[0]),
  ]);
  scene.simulator!.carrier('globe').sendReceipt({ id: rows[0].id, destination: '639179999921' });
  await scene.untilStates({ '3/2': 2 });
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 2 });
});

test('the deadline of receipts counts from the last submission of each message, however long its task was paused', async (t) => {
  const scene = await makeScene(t, { tps: 100, bindCount: 1 });
  scene.setFaults({ lostReceipt: 1 });
  const total = 300;
  await scene.accept(Array.from({ length: total }, (_, n) => to(`63917${String(n).padStart(7, '0')}`)));
  await scene.startSender();
  await scene.untilSeen(50);
  await scene.pool.query('update task set paused = 1');
  await until(async () => (await scene.pool.query('select from batch where state <> -1')).rowCount === 0);
  const { '3/1': before = 0 } = await scene.states();
  assert.ok(before >= 50 && before < total, `${before} before the pause`);
  // Two days on, those of before the pause are not due yet; a third later they are, although the batch is not done.
  const days = 24 * 3_600_000;
  const expireAt = async (afterMs: number) =>
    (await expireReceipts(scene.pool, scene.writer, Date.now() + afterMs)).messages;
  assert.deepEqual([await expireAt(2 * days), await expireAt(3 * days + 60_000)], [0, before]);
  await scene.untilStates({ '3/6': before, '0/0': total - before });
  const paused = new Date();
  await scene.pool.query('update task set paused = 0');
  await scene.untilStates({ '3/6': before, '3/1': total - before });
  // The pause took four days.
  await scene.pool.query(`update message set submitted_at = submitted_at + interval '4 days' where submitted_at > $1`, [
    paused,
  ]);
  await scene.pool.query(`update batch set done_at = done_at + interval '4 days'`);
  assert.deepEqual([await expireAt(4 * days), await expireAt(6 * days)], [0, 0]);
  assert.equal(await expireAt(7 * days + 60_000), total - before);
  await scene.untilStates({ '3/6': total });
  assert.equal((await scene.pool.query('select from batch where not receipts_closed')).rowCount, 0);
});

test('each supplier account has its own deadline of receipts, and a change applies to open messages', async (t) => {
  const scene = await makeScene(t);
  scene.setFaults({ lostReceipt: 1 });
  const phones = { 'globe-1': '639170000001', 'smart-1': '639180000001', 'dito-1': '639910000001' };
  await scene.accept(Object.values(phones).map((msisdn) => to(msisdn)));
  await scene.startSender();
  await scene.untilStates({ '3/1': 3 });
  const setHours = (account: string, hours: number) =>
    scene.pool.query(
      `update supplier set profile = profile || jsonb_build_object('receiptHours', $2::int) where supplier_account = $1`,
      [account, hours],
    );
  const unknownAfter = async (minutes: number): Promise<string[]> => {
    await expireReceipts(scene.pool, scene.writer, Date.now() + minutes * 60_000);
    const { rows } = await scene.pool.query('select msisdn from message where client_status = 6 order by 1');
    return rows.map(({ msisdn }) => msisdn);
  };
  await setHours('globe-1', 1);
  assert.deepEqual(await unknownAfter(58), []);
  assert.deepEqual(await unknownAfter(61), [phones['globe-1']]);
  await setHours('smart-1', 2);
  assert.deepEqual(await unknownAfter(118), [phones['globe-1']]);
  assert.deepEqual(await unknownAfter(121), [phones['globe-1'], phones['smart-1']]);
  assert.deepEqual(await unknownAfter(71 * 60), [phones['globe-1'], phones['smart-1']]);
  assert.deepEqual(await unknownAfter(72 * 60 + 1), Object.values(phones));
  const { rows } = await scene.pool.query(
    'select carrier_message_id id from dlr_route join message using (message_id) where msisdn = $1',
    [phones['globe-1']],
  );
  scene.simulator!.carrier('globe').sendReceipt({ id: rows[0].id, destination: phones['globe-1'] });
  await scene.untilStates({ '3/2': 1, '3/6': 2 });
});

test('a batch that is not due, a paused task, a suspended customer and a disabled application wait', async (t) => {
  const scene = await makeScene(t);
  await scene.startSender({ claimEveryMs: 50 });
  const gates = [
    [`update task set paused = 1`, `update task set paused = 0`],
    [`update customer set use_state = 0`, `update customer set use_state = 1`],
    [`update application set use_state = 0`, `update application set use_state = 1`],
  ] as const;
  let sent = 0;
  for (const [close, open] of gates) {
    await scene.pool.query(close);
    await scene.accept(scene.recipients(10, sent));
    await assert.rejects(until(async () => (await scene.states())['3/2'] !== (sent || undefined), { timeoutMs: 400 }));
    await scene.pool.query(open);
    sent += 10;
    await scene.untilStates({ '3/2': sent });
  }
  const notBefore = new Date(Date.now() + 600);
  await scene.accept(scene.recipients(10, sent), { notBefore });
  await scene.untilStates({ '3/2': sent + 10 });
  const { rows } = await scene.pool.query('select min(submitted_at) at from message where submitted_at > $1', [
    notBefore,
  ]);
  assert.ok(rows[0].at >= notBefore);
});
