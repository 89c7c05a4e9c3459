/** A reply belongs to the customer that owns the number or sender ID it was sent to. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaseWriter, uuidV7 } from '@pahatid/db';
import { buildApplication, buildAssignedNumber, buildCustomer, buildSender } from '@pahatid/db/builders';
import type { InboundPart } from '@pahatid/engine';
import { until } from '@pahatid/testkit';
import { pino } from 'pino';
import { makeSendStore } from '../submit/send-store.ts';
import { makeScene, to } from '../testing/make-scene.ts';

const phone = '639170000001';
const sharedNumber = '21583';

/** Two customers, of which one, the mart, wrote to the phone last. */
const makeWorld = async (t: Parameters<typeof makeScene>[0]) => {
  const scene = await makeScene(t, { smsType: 3 });
  const { pool } = scene;
  const mart = { customerId: scene.customerId, appId: scene.appId };
  const bankId = await buildCustomer(pool, { customerName: 'Bank' });
  const bank = { customerId: bankId, appId: await buildApplication(pool, { customerId: bankId }) };
  await buildSender(pool, { ...mart, senderId: 'SARISARI' });
  await buildSender(pool, { ...bank, senderId: 'BANGKOUNO' });
  await scene.accept([to(phone)], { ...bank, clientSid: 'BANGKOUNO', smsType: 1, taskId: null });
  await scene.accept([to(phone)], { clientSid: 'SARISARI' });
  await scene.startSender();
  await scene.untilStates({ '3/2': 2 });
  const logged: { msg: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line)) });
  const writer = await leaseWriter(pool, uuidV7());
  const store = makeSendStore({ pool, owner: uuidV7(), writer, leaseMs: 10_000, inbound: { sharedNumber, log } });
  const reply = async (destination: string, content: string, more: { msisdn?: string; part?: InboundPart } = {}) => {
    const { rows } = await pool.query<{ id: string }>(`select supplier_id as id from supplier order by 1 desc limit 1`);
    const inboundId = uuidV7();
    const text = {
      supplierId: rows[0]!.id,
      inboundId,
      destination,
      content,
      receivedMs: Date.now(),
      msisdn: phone,
      part: null,
    };
    const nothing = { changes: [], marks: [], receipts: [], matchedReceipts: [], resent: [] };
    await store.commit({ ...nothing, inbound: [{ ...text, ...more }] });
    return inboundId;
  };
  const ownerOf = async (inboundId: string) => {
    const { rows } = await pool.query('select customer_id, app_id, message_id from inbound where inbound_id = $1', [
      inboundId,
    ]);
    return rows[0]?.customer_id ?? null;
  };
  const optedOut = async () => {
    const { rows } = await pool.query<{ customer_id: string }>('select customer_id from opt_out order by created_at');
    return rows.map((row) => row.customer_id);
  };
  const unowned = async () =>
    (
      await pool.query('select destination, content, is_opt_out from unowned_reply order by received_at, inbound_id')
    ).rows.map((row) => ({ ...row }));
  return { scene, pool, mart, bank, reply, ownerOf, optedOut, unowned, logged };
};

test('an opt-out applies to the customer of the sender ID it replies to, whatever customer sent last', async (t) => {
  const { scene, bank, ownerOf, optedOut, pool } = await makeWorld(t);
  const carrier = scene.simulator!.carrier('globe');
  const { queued } = carrier.counters().deliveries;
  carrier.sendInbound({ from: phone, to: 'BANGKOUNO', text: 'STOP' });
  await until(() => carrier.counters().deliveries.acknowledged > queued);
  assert.deepEqual(await optedOut(), [bank.customerId]);
  const { rows } = await pool.query<{ id: string }>('select inbound_id as id from inbound');
  assert.deepEqual(await Promise.all(rows.map(({ id }) => ownerOf(id))), [bank.customerId]);
});

test('it belongs to the owner of the sender ID although that never wrote to the phone', async (t) => {
  const { bank, reply, ownerOf, optedOut, pool } = await makeWorld(t);
  await pool.query(`delete from message where client_sid = 'BANGKOUNO'`);
  const id = await reply('bangkouno', 'STOP');
  assert.equal(await ownerOf(id), bank.customerId);
  assert.deepEqual(await optedOut(), [bank.customerId]);
});

test('a reply to an assigned number is its owner’s, in every spelling of it', async (t) => {
  const { pool, bank, mart, reply, ownerOf } = await makeWorld(t);
  await buildAssignedNumber(pool, { ...bank, number: '639178880099' });
  await buildAssignedNumber(pool, { ...mart, number: '2777' });
  for (const destination of ['639178880099', '+639178880099', '09178880099'])
    assert.equal(await ownerOf(await reply(destination, 'Hello')), bank.customerId, destination);
  assert.equal(await ownerOf(await reply('2777', 'Hello')), mart.customerId);
  // Also to a phone it never wrote to.
  assert.equal(await ownerOf(await reply('2777', 'T', { msisdn: '639179999999' })), mart.customerId);
});

test('a sender ID that two customers have is of the one that wrote to the phone with it, else of neither', async (t) => {
  const { pool, bank, mart, reply, ownerOf, optedOut, unowned } = await makeWorld(t);
  for (const each of [bank, mart]) await buildSender(pool, { ...each, senderId: 'TINDAHAN' });
  assert.equal(await ownerOf(await reply('TINDAHAN', 'STOP')), null);
  assert.deepEqual(await unowned(), [{ destination: 'TINDAHAN', content: 'STOP', is_opt_out: true }]);
  assert.deepEqual(await optedOut(), []);
  await pool.query(`update message set client_sid = 'TINDAHAN' where customer_id = $1`, [bank.customerId]);
  assert.equal(await ownerOf(await reply('TINDAHAN', 'STOP')), bank.customerId);
});

test('a text to the shared number belongs to the customer whose marketing the phone received last', async (t) => {
  const { scene, pool, bank, mart, reply, ownerOf, optedOut } = await makeWorld(t);
  // A code of the bank that came later is nothing that asks for a refusal.
  await scene.accept([to(phone)], { ...bank, clientSid: 'BANGKOUNO', smsType: 1, taskId: null });
  await scene.untilStates({ '3/2': 3 });
  assert.equal(await ownerOf(await reply(`+${sharedNumber}`, 'T')), mart.customerId);
  assert.deepEqual(await optedOut(), [mart.customerId]);
  await pool.query(`delete from message where customer_id = $1`, [mart.customerId]);
  assert.equal(await ownerOf(await reply(sharedNumber, 'T')), bank.customerId);
});

test('an unassigned text is stored for staff and logged, without the phone; long texts too', async (t) => {
  const { reply, ownerOf, optedOut, unowned, logged } = await makeWorld(t);
  assert.equal(await ownerOf(await reply('STRANGER', 'STOP')), null);
  const part = (sequence: number): InboundPart => ({ referenceBits: 8, reference: 7, total: 2, sequence });
  await reply('99999', 'first half, ', { part: part(1) });
  await reply('99999', 'second half', { part: part(2) });
  assert.deepEqual(await unowned(), [
    { destination: 'STRANGER', content: 'STOP', is_opt_out: true },
    { destination: '99999', content: 'first half, second half', is_opt_out: false },
  ]);
  assert.deepEqual(await optedOut(), []);
  assert.deepEqual(
    logged.map(({ msg }) => msg),
    ['reply has no owner, kept for staff', 'reply has no owner, kept for staff'],
  );
  assert.ok(!JSON.stringify(logged).includes(phone));
});
