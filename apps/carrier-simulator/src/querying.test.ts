import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MESSAGE_STATE, parseSmppTime, STATUS } from '@pahatid/smpp';
import { boundCustomer, startQuick } from './test-customer.ts';

test('query_sm is answered with the final state of a message, to the sender of the message alone', async (t) => {
  const simulator = await startQuick(t);
  const globe = simulator.carrier('globe');
  globe.setFaults({ lostReceipt: 1 });
  const customer = await boundCustomer(t, simulator.port);
  const states = {
    '639170000001': MESSAGE_STATE.DELIVERED,
    '639179999901': MESSAGE_STATE.UNDELIVERABLE,
    '639179999902': MESSAGE_STATE.EXPIRED,
    '639179999903': MESSAGE_STATE.REJECTED,
    '639179999904': MESSAGE_STATE.DELETED,
    '639179999905': MESSAGE_STATE.UNKNOWN,
    '639179999906': MESSAGE_STATE.ACCEPTED,
    '639179999921': MESSAGE_STATE.ENROUTE,
  };
  const phones = Object.keys(states);
  for (const phone of phones) customer.submit(phone);
  await customer.waitFor('response', phones.length);
  const ids = customer.of('response').map(({ messageId }) => messageId!);
  for (const id of ids) customer.query(id);
  customer.query(ids[0]!, 'OTHER');
  customer.query('nothing');
  await customer.waitFor('response', 2 * phones.length + 2);
  const answers = customer.of('response').slice(phones.length);
  assert.deepEqual(
    answers.slice(0, -2).map(({ status, pdu }) => [status, pdu?.command === 'query_sm_resp' && pdu.message_state]),
    Object.values(states).map((state) => [0, state]),
  );
  const [first] = answers;
  assert.ok(first?.pdu?.command === 'query_sm_resp' && parseSmppTime(first.pdu.final_date ?? '') !== undefined);
  assert.deepEqual(
    answers.slice(-2).map(({ status }) => status),
    [STATUS.ESME_RQUERYFAIL, STATUS.ESME_RINVMSGID],
  );
  assert.equal(globe.counters().queried, phones.length + 2);
});

test('queries are refused, answered with another state or left unanswered on demand', async (t) => {
  const simulator = await startQuick(t);
  const globe = simulator.carrier('globe');
  const customer = await boundCustomer(t, simulator.port);
  customer.submit('639170000001');
  await customer.waitFor('response');
  const id = customer.of('response')[0]!.messageId!;
  globe.setFaults({ queryStatus: STATUS.ESME_RQUERYFAIL });
  customer.query(id);
  await customer.waitFor('response', 2);
  globe.setFaults({ queryStatus: 0, queryState: MESSAGE_STATE.ENROUTE });
  customer.query(id);
  await customer.waitFor('response', 3);
  globe.setFaults({ queryState: 0, lostQuery: 1 });
  customer.query(id);
  customer.submit('639170000002');
  await customer.waitFor('response', 4);
  const [, refused, enroute, next] = customer.of('response');
  assert.equal(refused?.status, STATUS.ESME_RQUERYFAIL);
  assert.ok(enroute?.pdu?.command === 'query_sm_resp' && enroute.pdu.message_state === MESSAGE_STATE.ENROUTE);
  assert.equal(next?.token, '639170000002');
});
