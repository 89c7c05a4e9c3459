import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@pahatid/testkit';
import { makeScene, to } from '../testing/make-scene.ts';

test('C20: texts are stored whole for the customer they reply to; only opt-out terms stop its messages', async (t) => {
  const scene = await makeScene(t);
  const phones = [1, 2, 3, 4].map((n) => `63917000000${n}`);
  const { messageIds } = await scene.accept(phones.map((msisdn) => to(msisdn)));
  await scene.startSender();
  await scene.untilStates({ '3/2': 4 });
  const long = `A question of several parts. ${'What are the opening hours? '.repeat(12)}`;
  const texts = ['Ｓtop ', 'please STOP it', long, '退订'];
  const carrier = scene.simulator!.carrier('globe');
  for (const [index, text] of texts.entries()) carrier.sendInbound({ from: phones[index]!, to: 'PAHATID', text });
  // No message was sent to this phone, and the address has no owner: the text is stored for staff.
  carrier.sendInbound({ from: '639179999999', to: 'PAHATID', text: 'T' });
  const { queued } = carrier.counters().deliveries;
  assert.ok(queued > phones.length + texts.length + 1, 'receipts, and texts of which one has several parts');
  await until(() => carrier.counters().deliveries.acknowledged === queued);
  const { rows: kept } = await scene.pool.query(
    'select msisdn, content, customer_id, message_id, app_id, is_opt_out from inbound order by msisdn',
  );
  const { customerId: customer_id, appId: app_id } = scene;
  const common = { customer_id, app_id };
  assert.deepEqual(
    kept,
    texts.map((content, index) => ({
      msisdn: phones[index],
      content,
      ...common,
      message_id: String(messageIds[index]),
      is_opt_out: index % 3 === 0,
    })),
  );
  const { rows: unowned } = await scene.pool.query(
    'select msisdn, destination, content, is_opt_out from unowned_reply',
  );
  assert.deepEqual(unowned, [{ msisdn: '639179999999', destination: 'PAHATID', content: 'T', is_opt_out: true }]);
  const { rows: refused } = await scene.pool.query('select msisdn, source, evidence from opt_out order by msisdn');
  assert.deepEqual(refused, [
    { msisdn: phones[0], source: 'reply', evidence: texts[0] },
    { msisdn: phones[3], source: 'reply', evidence: texts[3] },
  ]);
});

test('C12: where ids wrapped, a receipt is of the newest message to the same phone', async (t) => {
  const scene = await makeScene(t);
  scene.setFaults({ lostReceipt: 1 });
  const phone = '639170000001';
  const [older] = (await scene.accept([to(phone)])).messageIds;
  const [newer] = (await scene.accept([to(phone)])).messageIds;
  await scene.accept([to('639170000002')]);
  await scene.startSender();
  await scene.untilStates({ '3/1': 3 });
  await scene.pool.query(`update dlr_route set carrier_message_id = 'wrapped'`);
  scene.simulator!.carrier('globe').sendReceipt({ id: 'WRAPPED', destination: phone });
  await scene.untilStates({ '3/1': 2, '3/2': 1 });
  const { rows } = await scene.pool.query('select message_id from message where client_status = 2');
  assert.deepEqual(rows, [{ message_id: String(newer) }]);
  assert.ok(older !== undefined && newer !== undefined && newer > older);
});
