import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type InboxReceipt, insertDoubts, insertInbox, leaseWriter, uuidV7 } from '@pahatid/db';
import { until } from '@pahatid/testkit';
import { makeScene } from '../testing/make-scene.ts';
import { ReceiptSweeper } from './sweep-receipts.ts';

const LONG_AGO_MS = 60_000;

test('one reported part is one delivered part, across concurrent processes and copies', async (t) => {
  const scene = await makeScene(t, {}, { strict: false });
  const { pool, customerId, taskId } = scene;
  const long = scene.recipients(1, 9);
  await scene.accept(long);
  const { rows } = await pool.query<{ message_id: string; msisdn: string; supplier_id: string; pkg_total: number }>(
    'update message set send_status = 1, client_status = 0 returning message_id, msisdn, supplier_id, pkg_total',
  );
  const [message] = rows;
  assert.equal(message?.pkg_total, 2);
  const { msisdn, supplier_id: supplierId } = message;
  const doubt = { customerId, messageId: BigInt(message.message_id), supplierId, taskId, msisdn };
  await insertDoubts(pool, [doubt], new Date(), null);
  const receivedMs = Date.now() + 1_000;
  const copy = (): InboxReceipt => ({
    supplierId,
    receiptId: uuidV7(),
    carrierMessageId: '4711',
    msisdn,
    clientSid: 'PAHATID',
    clientStatus: 2,
    final: true,
    carrierCode: null,
    reportMs: null,
    receivedMs,
  });
  await insertInbox(pool, [copy()]);

  const sweepers = [
    new ReceiptSweeper(pool, await leaseWriter(pool, uuidV7())),
    new ReceiptSweeper(pool, await leaseWriter(pool, uuidV7())),
  ];
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query('select from message for update');
  const sweeping = sweepers.map((sweeper) => sweeper.sweep(receivedMs + LONG_AGO_MS));
  await until(
    async () => {
      const waiting = await pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return waiting.rowCount === 2;
    },
    { what: 'both at the row' },
  );
  await holder.query('commit');
  holder.release();
  const done = (await Promise.all(sweeping)).flatMap((swept) => swept.done);
  assert.equal(done[0]?.supplierId, supplierId);
  // The carrier sends it again, because it heard no thanks.
  await insertInbox(pool, [copy()]);
  for (const sweeper of sweepers) await sweeper.sweep(receivedMs + LONG_AGO_MS);

  const after = await pool.query('select client_status, parts_delivered from message');
  assert.deepEqual(after.rows, [{ client_status: 0, parts_delivered: 1 }], 'the second part never arrived');
  const open = await pool.query('select from receipt_inbox where matched_at is null');
  assert.equal(open.rowCount, 0);
});

/** A message in doubt. */
async function makeDoubt(t: TestContext) {
  const scene = await makeScene(t, {}, { strict: false });
  const { pool, customerId, taskId } = scene;
  await scene.accept(scene.recipients(1));
  const { rows } = await pool.query<{ message_id: string; msisdn: string; supplier_id: string }>(
    'update message set send_status = 1, client_status = 0 returning message_id, msisdn, supplier_id',
  );
  const { message_id: id, msisdn, supplier_id: supplierId } = rows[0]!;
  await pool.query('update batch set state = 2, done_at = now()');
  await insertDoubts(pool, [{ customerId, messageId: BigInt(id), supplierId, taskId, msisdn }], new Date(), null);
  return { scene, supplierId, msisdn };
}

/** A message in doubt, and its receipt with the time `receivedMs`. */
async function makeReceipt(t: TestContext, receivedMs: number) {
  const { scene, supplierId, msisdn } = await makeDoubt(t);
  const { pool } = scene;
  const status = { clientStatus: 2, final: true, carrierCode: null, reportMs: null };
  const receipt = { supplierId, receiptId: uuidV7(), carrierMessageId: '4711', msisdn, clientSid: 'PAHATID' };
  await insertInbox(pool, [{ ...receipt, ...status, receivedMs }]);
  return {
    pool,
    sweeper: async (graceMs: number) => new ReceiptSweeper(pool, await leaseWriter(pool, uuidV7()), graceMs),
  };
}

const HOURS_MS = 2 * 3_600_000;

test('a receipt that came while the clock was ahead resolves its message once the clock is put back', async (t) => {
  const { sweeper } = await makeReceipt(t, Date.now() + HOURS_MS);
  const patient = await sweeper(600_000);
  assert.equal((await patient.sweep()).resolved, 0, 'a response may still be in transit');
  const sweeping = await sweeper(1);
  await until(async () => (await sweeping.sweep()).resolved === 1);
});

test('a message that was accepted while the clock was ahead is resolved by its receipt', async (t) => {
  const nowMs = Date.now() - HOURS_MS;
  const { sweeper } = await makeReceipt(t, nowMs - LONG_AGO_MS);
  assert.equal((await (await sweeper(1)).sweep(nowMs)).resolved, 1);
});

test('a receipt that came while the clock was behind resolves its message once the clock is right', async (t) => {
  const { scene, msisdn } = await makeDoubt(t);
  await scene.startSender();
  const carrier = scene.simulator!.carrier('globe');
  await until(() => carrier.counters().binds > 0);
  const realNow = Date.now;
  const behind = t.mock.method(Date, 'now', () => realNow() - HOURS_MS);
  carrier.sendReceipt({ id: '4711', destination: msisdn });
  await until(async () => (await scene.pool.query('select from receipt_inbox')).rowCount === 1);
  behind.mock.restore();
  await scene.untilStates({ '3/2': 1 });
});
