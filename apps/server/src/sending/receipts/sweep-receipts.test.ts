import assert from 'node:assert/strict';
import { test } from 'node:test';
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
