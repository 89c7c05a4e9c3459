/** When a message is charged, on real parts: our sender, SMPP, the carrier simulator, PostgreSQL. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getFunds, withTransaction } from '@pahatid/db';
import { getReserved, releaseReservation, reserve } from '@pahatid/db/queries/reservations';
import { until } from '@pahatid/testkit';
import { expireReceipts } from '../../sending/receipts/expire-receipts.ts';
import { makeScene, to } from '../../sending/testing/make-scene.ts';
import { findDifferences } from '../../verify/find-differences.ts';
import { options } from '../../verify/testing/agrees.ts';

/** ₱0.35 a segment, the default. */
const price = 3_500;
const long = 'A text of two segments. '.repeat(8);
const phones = {
  delivered: '639170000001',
  deliveredOfTwo: '639170000002',
  undelivered: '639179999901',
  refused: '639179999911',
  silent: '639179999921',
  deliveredTwice: '639179999922',
  optedOut: '639170000009',
};
type Name = keyof typeof phones;

/** Sends one message to each phone and waits until each has the outcome it asks for. */
async function sendAll(t: Parameters<typeof makeScene>[0], chargeType: 'SenderPays' | 'ReceiverPays') {
  // Marketing: opted-out recipients are refused by us.
  const scene = await makeScene(t, { chargeType, smsType: 3 });
  const { messageIds } = await scene.accept(
    Object.entries(phones).map(([name, msisdn]) => (name === 'deliveredOfTwo' ? to(msisdn, 2, long) : to(msisdn))),
  );
  await scene.pool.query(`insert into opt_out values ($1, $2, 'reply', 'T', now())`, [
    scene.customerId,
    phones.optedOut,
  ]);
  const charged = async (): Promise<number> => {
    const { rows } = await scene.pool.query(
      `select coalesce(-sum(amount), 0)::int n from ledger where kind = 'charge'`,
    );
    return rows[0].n;
  };
  const { balance: before } = await getFunds(scene.pool, scene.customerId);
  assert.equal(await charged(), 0, 'nothing is charged before a carrier has it');
  await scene.startSender();
  const outcomes = async (): Promise<Record<Name, string>> => {
    const { rows } = await scene.pool.query<{ msisdn: string; line: string }>(
      `select msisdn, send_status || '/' || client_status as line from message`,
    );
    const lines = new Map(rows.map(({ msisdn, line }) => [msisdn, line]));
    return Object.fromEntries(Object.entries(phones).map(([name, msisdn]) => [name, lines.get(msisdn)])) as Record<
      Name,
      string
    >;
  };
  const settled = { delivered: '3/2', deliveredOfTwo: '3/2', undelivered: '3/3', silent: '3/1', deliveredTwice: '3/2' };
  const is = await until(async () => {
    const now = await outcomes();
    const isSettled = Object.entries(settled).every(([name, line]) => now[name as Name] === line);
    return isSettled && now.refused.startsWith('2/') && now.optedOut.startsWith('2/') && now;
  });
  assert.equal(is.optedOut, '2/7');
  const agrees = async (sum: number, held = 0): Promise<void> => {
    assert.equal(await charged(), sum);
    assert.deepEqual(await getFunds(scene.pool, scene.customerId), { balance: before - sum, reserved: held });
    assert.deepEqual((await findDifferences(scene.pool, options)).differences, []);
  };
  const expire = () => expireReceipts(scene.pool, scene.writer, Date.now() + 73 * 3_600_000);
  const silentId = String(messageIds[Object.keys(phones).indexOf('silent')]);
  const lateReceipt = async (): Promise<void> => {
    const { rows } = await scene.pool.query('select carrier_message_id id from dlr_route where message_id = $1', [
      silentId,
    ]);
    scene.simulator!.carrier('globe').sendReceipt({ id: rows[0].id, destination: phones.silent });
    await until(async () => (await outcomes()).silent === '3/2');
  };
  /** What the entries say about the price: each line of an invoice is segments at a price. */
  const lines = async (): Promise<object[]> =>
    (
      await scene.pool.query(
        `select app_id = $1 as own, sms_type as type, carrier, price::int, sum(segments)::int as segments, -sum(amount)::int as amount
         from ledger where kind = 'charge' group by 1, 2, 3, 4`,
        [scene.appId],
      )
    ).rows;
  return { agrees, expire, lateReceipt, outcomes, lines };
}

test('SenderPays is charged when the carrier accepts, once, whatever the outcome; refusals are not charged', async (t) => {
  const { agrees, expire, lateReceipt, lines } = await sendAll(t, 'SenderPays');
  // Four of one segment, one of two: accepted. Refused by the carrier or by ourselves: nothing.
  await agrees(6 * price);
  await expire();
  await agrees(6 * price);
  await lateReceipt();
  await agrees(6 * price);
  assert.deepEqual(await lines(), [{ own: true, type: 3, carrier: 'Globe', price, segments: 6, amount: 6 * price }]);
});

test('ReceiverPays is charged when the delivered receipt comes, however late, once; all else is not charged', async (t) => {
  const { agrees, expire, lateReceipt, outcomes } = await sendAll(t, 'ReceiverPays');
  // The message without a receipt is paid for, or given back, when its receipt comes or is overdue.
  await agrees(4 * price, price);
  await expire();
  assert.equal((await outcomes()).silent, '3/6');
  await agrees(4 * price);
  await lateReceipt();
  await agrees(5 * price);
});

test('with ReceiverPays the money of a task stays held past its end, until each receipt comes or is overdue', async (t) => {
  const scene = await makeScene(t, { chargeType: 'ReceiverPays' });
  const { pool, customerId, taskId } = scene;
  const { balance } = await getFunds(pool, customerId);
  const silent = Array.from({ length: 10 }, (_, n) => `63917999992${n}`).filter((phone) => phone !== '639179999922');
  await withTransaction(pool, (tx) => reserve(tx, { taskId, customerId, cost: 10 * price }));
  const { messageIds } = await scene.accept([...silent, '639170000001'].map((msisdn) => to(msisdn)));
  await scene.startSender();
  const statesOf = async (): Promise<string> => {
    const { rows } = await pool.query<{ line: string }>(
      `select client_status || ' ' || count(*) as line from message group by client_status order by 1`,
    );
    return rows.map(({ line }) => line).join(', ');
  };
  const states = await until(async () => {
    const now = await statesOf();
    return now.startsWith('1 ') && now.includes('2 ') && !/\b0 /.test(now) && now;
  });
  const delivered = Number(/2 (\d+)/.exec(states)?.[1]);
  const waiting = Number(/1 (\d+)/.exec(states)?.[1]);
  assert.ok(waiting > 0 && waiting + delivered === 10, states);
  const isFunds = async (charged: number, held: number): Promise<void> => {
    assert.deepEqual(await getFunds(pool, customerId), { balance: balance - charged, reserved: held });
    assert.equal(await getReserved(pool, taskId), held);
  };
  // The reservation and the holds of its messages are the same money.
  await isFunds(delivered * price, waiting * price);
  await withTransaction(pool, (tx) => releaseReservation(tx, taskId));
  await isFunds(delivered * price, waiting * price);
  await expireReceipts(pool, scene.writer, Date.now() + 73 * 3_600_000);
  await isFunds(delivered * price, 0);
  // Late: charged as agreed, though nothing was held for it any more.
  const id = messageIds[0];
  const { rows } = await pool.query('select carrier_message_id id from dlr_route where message_id = $1', [String(id)]);
  scene.simulator!.carrier('globe').sendReceipt({ id: rows[0].id, destination: silent[0]! });
  await until(async () => (await statesOf()).includes(`2 ${delivered + 1}`));
  await isFunds((delivered + 1) * price, 0);
});
