/** Changes to messages by the sender and by carriers' receipts are notified, in the transactions that make them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uuidV7 } from '@pahatid/db';
import { makeScene, to } from './testing/make-scene.ts';

test('P10 each message that the carrier accepts, refuses or delivers makes one event with its outcome', async (t) => {
  const scene = await makeScene(t);
  const { customerId, appId, pool } = scene;
  await pool.query(
    `insert into callback_endpoint (endpoint_id, customer_id, kind, app_id, url, state)
     values ($1, $2, 'application', $3, 'https://shop.example/', 'enabled')`,
    [uuidV7(), customerId, appId],
  );
  const phones = Array.from({ length: 30 }, (_, n) => `6391700000${String(n).padStart(2, '0')}`);
  await scene.accept(phones.map((msisdn) => to(msisdn)));
  await scene.startSender();
  await scene.untilStates({ '3/2': phones.length });
  const { rows } = await pool.query(
    `select m.message_id, count(v.event_id)::int as n, min((v.facts->>'clientStatus')::int) as status, min(v.facts->>'dealResult') as result
     from message m left join callback_event v on v.customer_id = m.customer_id and v.message_id = m.message_id group by 1`,
  );
  assert.equal(rows.length, phones.length);
  for (const row of rows) assert.deepEqual([row.n, row.status, row.result], [1, 2, 'DELIVERED']);
});
