import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MALFORMED } from './malformed.ts';
import { boundCustomer, control, startQuick, until } from './test-customer.ts';

for (const { name, says, leavesStreamWhole } of MALFORMED) {
  const then = leavesStreamWhole ? 'a customer survives it and goes on' : 'a customer closes the connection';
  test(`M4: ${name} (${says}): ${then}`, async (t) => {
    const simulator = await startQuick(t);
    const customer = await boundCustomer(t, simulator.port);
    await control(simulator.controlPort, 'POST /carriers/globe/malformed', { name });
    if (!leavesStreamWhole) {
      await customer.waitFor('close');
      assert.deepEqual(customer.of('close'), [{ event: 'close', reason: 'broken_stream' }]);
      return;
    }
    customer.submit('639170000001');
    await customer.waitFor('response');
    await until(() => customer.of('receipt').some(({ receipt }) => receipt.stat === 'DELIVRD'), 'the receipt');
    assert.equal(customer.of('response')[0]?.status, 0);
    assert.equal(customer.of('close').length, 0);
  });
}

test('M4: malformed PDUs in the middle of traffic cost no message and no receipt', async (t) => {
  const simulator = await startQuick(t);
  await control(simulator.controlPort, 'PATCH /carriers/globe/faults', { malformed: 0.5 });
  const customer = await boundCustomer(t, simulator.port, { window: 400 });
  for (let i = 0; i < 300; i++) customer.submit(`639170000${100 + i}`);
  await customer.waitFor('response', 300);
  await until(() => simulator.carrier('globe').counters().deliveries.acknowledged === 300, 'the receipts');
  assert.ok(customer.session.counters.malformed > 20 && customer.session.counters.unknownCommands > 0);
});

test('M4: a chosen malformed PDU can precede every response', async (t) => {
  const simulator = await startQuick(t);
  const faults = { malformed: 1, malformedName: 'fields_missing' };
  await control(simulator.controlPort, 'PATCH /carriers/globe/faults', faults);
  const customer = await boundCustomer(t, simulator.port);
  for (let i = 0; i < 10; i++) customer.submit(`63917000000${i}`);
  await customer.waitFor('response', 10);
  assert.equal(customer.session.counters.malformed, 10);
});

test('names there are not are refused, and those there are can be read', async (t) => {
  const simulator = await startQuick(t);
  const nonsense = control(simulator.controlPort, 'POST /carriers/globe/malformed', { name: 'nonsense' });
  await assert.rejects(nonsense, /400 no such malformed PDU/);
  const setting = control(simulator.controlPort, 'PATCH /carriers/all/faults', { malformedName: 'nonsense' });
  await assert.rejects(setting, /malformedName must be any, unknown_request,/);
  const { items } = await control<{ items: unknown[] }>(simulator.controlPort, 'GET /malformed');
  assert.equal(items.length, MALFORMED.length);
});
