/** An event that no table can hold is set aside; all others of its flush are stored, and sending continues. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { uuidV7 } from '@pahatid/db';
import type { CarrierReceipt, Change, Flush, InboundText } from '@pahatid/engine';
import { until } from '@pahatid/testkit';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { registry } from '../../metrics/registry.ts';
import { clean, makeScene, to } from '../testing/make-scene.ts';
import { makeSendStore } from './send-store.ts';

/** Longer than an index holds, and of nothing that repeats, which would be compressed. */
const endlessId = (): string => randomBytes(6_000).toString('base64url').toLowerCase();

const setAsideOf = async (pool: Pool) =>
  (await pool.query('select kind, supplier_id, message_id, error_code, content from set_aside_event order by kind'))
    .rows;

const countedAside = async (kind: string): Promise<number> => {
  const { values } = await registry.getSingleMetric('pahatid_events_set_aside_total')!.get();
  return values.find(({ labels }) => labels['kind'] === kind)?.value ?? 0;
};

test('a receipt with an id that no index holds is set aside and answered; what comes with it and after it is stored', async (t) => {
  const scene = await makeScene(t, { carriers: { receipt: { textIn: 'message_payload' } } });
  const before = await countedAside('receipt');
  const carrier = scene.simulator!.carrier('globe');
  await scene.startSender();
  await until(() => carrier.counters().binds > 0);
  await scene.accept(scene.recipients(150));
  carrier.sendReceipt({ id: endlessId(), destination: '639171234567' });
  await scene.accept(scene.recipients(150, 150));
  await scene.untilStates({ '3/2': 300 });
  await scene.accept(scene.recipients(50, 300));
  await scene.untilStates({ '3/2': 350 });
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 350 });
  await until(() => carrier.counters().deliveries.acknowledged === carrier.counters().deliveries.queued);
  const [aside, ...others] = await setAsideOf(scene.pool);
  assert.equal(others.length, 0);
  assert.partialDeepStrictEqual(aside, { kind: 'receipt', message_id: null, error_code: '54000' });
  assert.equal(JSON.parse(aside.content).msisdn, '63******4567');
  assert.doesNotMatch(aside.content, /639171234567/);
  assert.equal((await countedAside('receipt')) - before, 1);
});

interface World {
  readonly flush: Flush;
  readonly messageIds: readonly string[];
  readonly supplierId: string;
}

/** Results of 200 messages of one batch, the last of which end it. */
async function makeFlush(scene: Awaited<ReturnType<typeof makeScene>>, owner: string): Promise<World> {
  const { pool, customerId, taskId, appId } = scene;
  await scene.accept(Array.from({ length: 200 }, (_, n) => to(`63917${String(n).padStart(7, '0')}`)));
  const { rows } = await pool.query<{ message_id: string; supplier_id: string; msisdn: string; price: number }>(
    'select message_id, supplier_id, msisdn, price from message order by message_id',
  );
  await pool.query('update batch set state = 1, owner = $1, intent_mark = 200, lease_until = now()', [owner]);
  const { message_id: first, supplier_id: supplierId } = rows[0]!;
  const batch: Change['batch'] = {
    batchId: BigInt(first),
    customerId,
    taskId,
    appId,
    lane: 2,
    supplierId,
    messageCount: rows.length,
    intentMark: 200,
    doubtPolicy: 'hold',
    validForMs: null,
    messages: [],
  };
  const key = {
    customerId,
    minuteMs: 0,
    appId,
    areaCode: 'PH',
    carrier: '',
    clientSid: '',
    smsType: 2,
    routeId: supplierId,
  };
  const changes = rows.map(
    ({ msisdn, price }, position): Change => ({
      batch,
      message: {
        position,
        msisdn,
        content: '',
        pkgTotal: 1,
        price,
        chargeType: 'SenderPays',
        key,
        templateId: null,
        optedOut: false,
      },
      before: { sendStatus: 0, clientStatus: 0 },
      after: { sendStatus: 3, clientStatus: 1 },
      dealResult: null,
      carrierCode: null,
      submittedMs: 1,
      answeredMs: 2,
      reportMs: null,
      partsBefore: 0,
      partsDelivered: 0,
      routes: [{ carrierMessageId: `id${position}`, part: 1 }],
    }),
  );
  const marks = [{ batch, mark: 200, notTaken: [], end: 'done' as const }];
  const flush = { changes, marks, resent: [], receipts: [], matchedReceipts: [], inbound: [] };
  return { flush, messageIds: rows.map(({ message_id: id }) => id), supplierId };
}

test('a result that no table holds leaves its message in doubt; the others of the batch are stored, and it ends', async (t) => {
  const scene = await makeScene(t);
  const owner = uuidV7();
  const { flush, messageIds, supplierId } = await makeFlush(scene, owner);
  const told: { eventKey?: string }[] = [];
  const log = pino({}, { write: (line: string) => told.push(JSON.parse(line)) });
  const inbound = { sharedNumber: null, log };
  const store = makeSendStore({ pool: scene.pool, owner, writer: scene.writer, leaseMs: 7_000, inbound });
  const bad = 77;
  const changes = flush.changes.with(bad, {
    ...flush.changes[bad]!,
    routes: [{ carrierMessageId: endlessId(), part: 1 }],
  });
  const receiptId = uuidV7();
  const receipt: CarrierReceipt = {
    supplierId,
    receiptId,
    candidates: ['id5'],
    msisdn: flush.changes[5]!.message.msisdn,
    clientSid: '',
    clientStatus: 2,
    final: true,
    dealResult: 'DELIVERED',
    carrierCode: null,
    reportMs: null,
    receivedMs: Date.now(),
    needsPhone: false,
  };
  const text: InboundText = {
    supplierId,
    inboundId: uuidV7(),
    msisdn: '639170000003',
    destination: 'PAHATID',
    content: 'Thanks',
    receivedMs: Date.now(),
    part: null,
  };
  await scene.pool.query(
    "alter table unowned_reply add check (content not like 'refused%'); alter table inbound add check (content not like 'refused%')",
  );
  const badText: InboundText = { ...text, inboundId: uuidV7(), content: 'refused \ud83d and \0' };
  const whole = { ...flush, changes, receipts: [receipt], inbound: [badText, text] };
  assert.deepEqual(await store.commit(whole), { lost: [], waiting: [] });
  const states = await scene.states();
  assert.deepEqual(states, { '3/1': 198, '3/2': 1, '1/0': 1 });
  const { rows: doubts } = await scene.pool.query('select message_id from in_doubt where resolved_at is null');
  assert.deepEqual(doubts, [{ message_id: messageIds[bad] }]);
  const { rows: batches } = await scene.pool.query('select state, success_count from batch');
  assert.deepEqual(batches, [{ state: 2, success_count: 199 }]);
  const { rows: texts } = await scene.pool.query(
    'select content from inbound union all select content from unowned_reply',
  );
  assert.deepEqual(texts, [{ content: 'Thanks' }]);
  const aside = await setAsideOf(scene.pool);
  assert.partialDeepStrictEqual(aside, [
    { kind: 'result', supplier_id: supplierId, message_id: messageIds[bad], error_code: '54000' },
    { kind: 'text', supplier_id: supplierId, message_id: null, error_code: '23514' },
  ]);
  assert.equal(JSON.parse(aside[1].content).content, badText.content);
  assert.equal(told.length, 2);
  assert.doesNotMatch(JSON.stringify(told), /639170000077|refused/);

  // As after a COMMIT of unknown outcome: nothing is stored, counted or logged twice.
  await store.commit(whole);
  assert.deepEqual(await scene.states(), states);
  assert.equal((await setAsideOf(scene.pool)).length, 2);
  assert.equal(told.length, 2);
});

test('a refusal with a NUL in it is a reply and an opt-out like any other', async (t) => {
  const scene = await makeScene(t);
  const owner = uuidV7();
  const { flush, supplierId } = await makeFlush(scene, owner);
  const inbound = { sharedNumber: null, log: pino({ level: 'silent' }) };
  const store = makeSendStore({ pool: scene.pool, owner, writer: scene.writer, leaseMs: 7_000, inbound });
  await store.commit(flush);
  const { rows } = await scene.pool.query('select msisdn, client_sid from message order by message_id limit 2');
  const [first, second] = rows;
  const text = (msisdn: string, content: string, destination: string): InboundText => ({
    supplierId,
    inboundId: uuidV7(),
    msisdn,
    destination,
    content,
    receivedMs: Date.now(),
    part: null,
  });
  const nothing = { ...flush, changes: [], marks: [] };
  await store.commit({ ...nothing, inbound: [text(first.msisdn, 'STOP\0', `${first.client_sid}\0`)] });
  const replies = await scene.pool.query('select content, is_opt_out from inbound');
  assert.deepEqual(replies.rows, [{ content: 'STOP', is_opt_out: true }]);
  assert.deepEqual(await setAsideOf(scene.pool), []);

  // One that no table holds at all still refuses.
  await scene.pool.query(`alter table inbound add check (msisdn <> '${second.msisdn}')`);
  const refused = { ...nothing, inbound: [text(second.msisdn, 'stop', second.client_sid)] };
  await store.commit(refused);
  await store.commit(refused);
  const listed = await scene.pool.query('select msisdn from opt_out order by msisdn');
  assert.deepEqual(
    listed.rows.map(({ msisdn }) => msisdn),
    [first.msisdn, second.msisdn].sort(),
  );
  const aside = await scene.pool.query('select kind, is_opt_out, opted_out from set_aside_event');
  assert.deepEqual(aside.rows, [{ kind: 'text', is_opt_out: true, opted_out: true }]);
});

test('what the database refuses for other reasons is not set aside', async (t) => {
  const scene = await makeScene(t);
  const owner = uuidV7();
  const { flush } = await makeFlush(scene, owner);
  const inbound = { sharedNumber: null, log: pino({ level: 'silent' }) };
  const store = makeSendStore({ pool: scene.pool, owner, writer: scene.writer, leaseMs: 7_000, inbound });
  await scene.pool.query('alter table dlr_route rename to dlr_route_away');
  await assert.rejects(store.commit(flush), { code: '42P01' });
  assert.deepEqual(await setAsideOf(scene.pool), []);
  assert.deepEqual(await scene.states(), { '0/0': 200 });
  await scene.pool.query('alter table dlr_route_away rename to dlr_route');
  await store.commit(flush);
  assert.deepEqual(await scene.states(), { '3/1': 200 });
});
