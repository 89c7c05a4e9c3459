import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '@pahatid/testkit';
import { clean, makeScene, to } from '../testing/make-scene.ts';

const DAY_MS = 86_400_000;
const globe = (count: number) => Array.from({ length: count }, (_, n) => to(`63917${String(n).padStart(7, '0')}`));

/** Messages that Globe took and has not reported on, with its ids for them. */
const makeSubmitted = async (t: TestContext, count: number, profile = {}) => {
  const scene = await makeScene(t);
  await scene.pool.query('update supplier set profile = profile || $1::jsonb', [JSON.stringify(profile)]);
  scene.setFaults({ lostReceipt: 1 });
  await scene.accept(globe(count));
  await scene.startSender();
  await scene.untilStates({ '3/1': count });
  scene.setFaults({ lostReceipt: 0 });
  const { rows } = await scene.pool.query<{ id: string; msisdn: string; message_id: string }>(
    `select carrier_message_id as id, msisdn, message_id from dlr_route join (select * from message offset 0) m using (customer_id, message_id)
     order by message_id`,
  );
  const report = (id: string, phone: string, sender = 'PAHATID') =>
    scene.simulator!.carrier('globe').sendReceipt({ id, destination: phone, source: sender });
  const waiting = async () => (await scene.pool.query('select from receipt_inbox where matched_at is null')).rowCount;
  return { scene, sent: rows, report, waiting };
};

test('C12: a receipt without a phone, with swapped addresses or with another phone finds its message by a unique id', async (t) => {
  const { scene, sent, report, waiting } = await makeSubmitted(t, 300);
  for (const [index, { id, msisdn }] of sent.entries()) {
    if (index % 3 === 0) report(id, '');
    else if (index % 3 === 1) report(id, 'PAHATID', msisdn);
    else report(id, `63918${String(index).padStart(7, '0')}`);
  }
  await scene.untilStates({ '3/2': 300 });
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 300 });
  assert.equal(await waiting(), 0);
});

test('C12: of several recent messages of one id a phone decides, and none is meant without one', async (t) => {
  const { scene, sent, report, waiting } = await makeSubmitted(t, 2);
  const [first, second] = sent;
  // The carrier's ids wrapped: both messages have the same.
  await scene.pool.query('update dlr_route set carrier_message_id = $1', [first!.id]);
  report(first!.id, '');
  await until(async () => (await waiting()) === 1);
  report(first!.id, second!.msisdn);
  await scene.untilStates({ '3/1': 1, '3/2': 1 });
  const { rows } = await scene.pool.query('select message_id from message where client_status = 2');
  assert.deepEqual(rows, [{ message_id: second!.message_id }]);
  // An older message is none that a receipt of today is for.
  await scene.pool.query('update message set submitted_at = $2 where message_id = $1', [
    second!.message_id,
    new Date(Date.now() - 5 * DAY_MS),
  ]);
  await scene.untilStates({ '3/2': 2 });
  assert.equal(await waiting(), 0);
});

test('C12: if the profile requires a phone, an id alone never matches, but swapped addresses do', async (t) => {
  const { scene, sent, report, waiting } = await makeSubmitted(t, 3, { receiptMatch: 'phone' });
  const [bare, other, swapped] = sent;
  report(bare!.id, '');
  report(other!.id, '639189999999');
  await until(async () => (await waiting()) === 2);
  report(swapped!.id, 'PAHATID', swapped!.msisdn);
  await scene.untilStates({ '3/1': 2, '3/2': 1 });
  report(bare!.id, bare!.msisdn);
  await scene.untilStates({ '3/1': 1, '3/2': 2 });
  assert.equal(await waiting(), 2);
});

test('a message in doubt is resolved by a receipt with swapped addresses', async (t) => {
  const scene = await makeScene(t);
  await scene.pool.query(`update supplier set profile = profile || '{"responseTimeoutMs": 1000}'`);
  scene.setFaults({ lostResponse: 1, lostReceipt: 1 });
  await scene.accept(globe(1));
  await scene.startSender();
  await scene.untilStates({ '1/0': 1 });
  scene.setFaults({ lostReceipt: 0 });
  scene.simulator!.carrier('globe').sendReceipt({ id: '4711', destination: 'PAHATID', source: '639170000000' });
  await scene.untilStates({ '3/2': 1 });
});
