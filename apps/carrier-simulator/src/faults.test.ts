import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATUS } from '@pahatid/smpp';
import { changeFaults, NO_FAULTS } from './faults.ts';
import { bindCustomer, boundCustomer, control, startQuick, until } from './test-customer.ts';

type Faulty = { after(run: () => Promise<void> | void): void };

/** A bound customer of a carrier with these faults, switched over HTTP as another process would. */
async function faulty(t: Faulty, faults: Record<string, unknown>) {
  const simulator = await startQuick(t);
  await control(simulator.controlPort, 'PATCH /carriers/globe/faults', faults);
  const customer = await boundCustomer(t, simulator.port);
  return { simulator, customer, globe: simulator.carrier('globe') };
}

function counters(globe: { counters(): { submits: number } }): number {
  return globe.counters().submits;
}

test('M4: the receipt before the response', async (t) => {
  const { customer } = await faulty(t, { earlyReceipt: 1 });
  customer.submit('639170000001');
  await customer.waitFor('response');
  assert.deepEqual(
    customer.heard.map(({ event }) => event),
    ['receipt', 'response'],
  );
});

test('M4: receipts twice, lost, late and held back', async (t) => {
  const { customer, simulator, globe } = await faulty(t, { duplicateReceipt: 1 });
  customer.submit('639170000001');
  await customer.waitFor('receipt', 2);
  assert.equal(customer.of('receipt')[0]?.receipt.id, customer.of('receipt')[1]?.receipt.id);
  globe.clearFaults();
  globe.setFaults({ lostReceipt: 1 });
  customer.submit('639170000002');
  await customer.waitFor('response', 2);
  assert.equal(globe.counters().deliveries.queued, 2);
  globe.clearFaults();
  globe.setFaults({ lateReceipt: 1, lateReceiptMs: 60 });
  const startedAt = performance.now();
  customer.submit('639170000003');
  await customer.waitFor('receipt', 3);
  assert.ok(performance.now() - startedAt >= 55);
  globe.clearFaults();
  globe.setFaults({ holdReceipts: true });
  customer.submit('639170000004');
  await customer.waitFor('response', 4);
  assert.equal(globe.counters().deliveriesWaiting, 1);
  await control(simulator.controlPort, 'DELETE /carriers/globe/faults');
  await customer.waitFor('receipt', 4);
});

test('M4: every status, at the rate asked for', async (t) => {
  const { customer, globe } = await faulty(t, { errors: [{ status: 0x14, rate: 1 }] });
  customer.submit('639170000001');
  await customer.waitFor('response');
  assert.equal(customer.of('response')[0]?.status, 0x14);
  globe.setFaults({
    errors: [
      { status: 0x58, rate: 0.5 },
      { status: 0x08, rate: 0.5 },
    ],
  });
  for (let i = 0; i < 90; i++) customer.submit(`6391700010${10 + i}`);
  await customer.waitFor('response', 91);
  const statuses = new Set(
    customer
      .of('response')
      .slice(1)
      .map(({ status }) => status),
  );
  assert.deepEqual(
    [...statuses].sort((a, b) => a - b),
    [0, 0x08, 0x58],
  );
  assert.deepEqual(globe.counters().refused['0x14'], 1);
});

test('M4: a response lost, late, twice, with a wrong sequence number, or a generic_nack instead', async (t) => {
  const { customer, globe } = await faulty(t, { lostResponse: 1 });
  customer.submit('639170000001');
  await customer.waitFor('receipt');
  assert.equal(customer.of('response').length, 0);
  globe.clearFaults();
  globe.setFaults({ wrongSequence: 1 });
  customer.submit('639170000002');
  await until(() => customer.session.counters.unexpectedResponses === 1, 'the wrong response');
  assert.equal(counters(globe), 2);
  globe.clearFaults();
  globe.setFaults({ genericNack: 1 });
  customer.submit('639170000003');
  await customer.waitFor('response');
  assert.equal(customer.of('response')[0]?.status, 0x08);
  assert.equal(counters(globe), 2);
  globe.clearFaults();
  globe.setFaults({ lateResponse: 1, lateResponseMs: 40 });
  const startedAt = performance.now();
  customer.submit('639170000004');
  await customer.waitFor('response', 2);
  assert.ok(performance.now() - startedAt >= 35);
  globe.clearFaults();
  globe.setFaults({ duplicateResponse: 1 });
  customer.submit('639170000005');
  await until(() => customer.session.counters.unexpectedResponses === 2, 'the second response');
});

test('M4: every status of the standard, and one of a vendor, in the response to a submit and to a bind', async (t) => {
  const { customer, simulator, globe } = await faulty(t, {});
  const statuses = [...Object.values(STATUS).filter((status) => status !== 0), 0x400];
  for (const status of statuses) {
    globe.setFaults({ errors: [{ status, rate: 1 }], bindStatus: status });
    customer.submit('639170000001');
    await customer.waitFor('response', customer.of('response').length + 1);
    assert.equal(await bindCustomer(simulator.port), status);
  }
  assert.deepEqual(
    customer.of('response').map(({ status }) => status),
    statuses,
  );
  assert.equal(counters(globe), 0);
});

test('M4: ESME_RTHROTTLED comes in bursts as long and as often as asked for, and so may ESME_RMSGQFUL', async (t) => {
  const { customer, globe } = await faulty(t, { burstEveryMs: 120, burstForMs: 60 });
  const changes: number[] = [];
  while (changes.length < 4) {
    customer.submit('639170000001');
    const asked = customer.of('response').length + 1;
    await customer.waitFor('response', asked);
    const { status } = customer.of('response')[asked - 1]!;
    // On a slow machine the first burst may be over before the first request.
    if (status !== (changes.at(-1) ?? 0)) changes.push(status);
  }
  assert.deepEqual(changes, [0x58, 0, 0x58, 0]);
  globe.setFaults({ burstStatus: 0x14 });
  while (globe.counters().refused['0x14'] === undefined) {
    customer.submit('639170000001');
    await customer.waitFor('response', customer.of('response').length + 1);
  }
});

test('M4: a slow reader takes so many requests a second, refuses none, and catches up when it is well', async (t) => {
  const { customer, simulator, globe } = await faulty(t, { slowReader: 100 });
  for (let i = 0; i < 90; i++) customer.submit(`6391700000${10 + i}`);
  const startedAt = performance.now();
  await customer.waitFor('response', 30);
  assert.ok(performance.now() - startedAt >= 190, 'three slices of ten, two pauses');
  assert.ok(globe.counters().received < 90);
  await control(simulator.controlPort, 'PATCH /carriers/globe/faults', { slowReader: 0 });
  await customer.waitFor('response', 90);
  assert.ok(customer.of('response').every(({ status }) => status === 0));
});

for (const [how, reason] of [
  ['unbind', 'peer_unbind'],
  ['reset', 'socket_error'],
  ['close', 'peer_closed'],
] as const) {
  test(`M4: the connection ends by ${how}, by hand and in the middle of traffic; what was taken stays taken`, async (t) => {
    const { customer, simulator, globe } = await faulty(t, { disconnect: 1, disconnectHow: how });
    customer.submit('639170000001');
    await customer.waitFor('close');
    assert.deepEqual(customer.of('close'), [{ event: 'close', reason }]);
    assert.equal(customer.of('unknown').length, 1);
    assert.equal(counters(globe), 1);
    globe.clearFaults();
    const again = await boundCustomer(t, simulator.port);
    // Before an unbind it may still reach the first connection.
    await until(() => customer.of('receipt').length + again.of('receipt').length > 0, 'the receipt');
    await control(simulator.controlPort, 'POST /carriers/all/disconnect', { how });
    await again.waitFor('close');
    assert.equal(again.of('close')[0]?.reason, reason);
  });
}

test('M4: a frozen peer reads and writes nothing and keeps the connection; thawed, it goes on', async (t) => {
  const { customer, simulator, globe } = await faulty(t, { frozen: true });
  customer.submit('639170000001');
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.deepEqual([customer.heard, counters(globe)], [[], 0]);
  await control(simulator.controlPort, 'PATCH /carriers/globe/faults', { frozen: false });
  await customer.waitFor('receipt');
  await customer.waitFor('response');
});

test('M4: enquire_link without an answer', async (t) => {
  const simulator = await startQuick(t);
  simulator.carrier('globe').setFaults({ ignoreEnquireLink: true });
  const timers = { enquireLinkIdleMs: 20, enquireLinkTimeoutMs: 20 };
  const ignored = await boundCustomer(t, simulator.port, timers);
  await ignored.waitFor('close');
  assert.equal(ignored.of('close')[0]?.reason, 'enquire_link_timeout');
});

test('M4: binds refused with any status, and answered late', async (t) => {
  const simulator = await startQuick(t);
  simulator.carrier('globe').setFaults({ bindStatus: 0x0d });
  assert.equal(await bindCustomer(simulator.port), 0x0d);
  simulator.carrier('globe').setFaults({ bindStatus: 0, bindDelayMs: 80 });
  assert.equal(await bindCustomer(simulator.port, { bindTimeoutMs: 20 }), -1);
  await boundCustomer(t, simulator.port);
});

test('M4: any octets, a malformed PDU among them', async (t) => {
  const { customer, simulator } = await faulty(t, {});
  await control(simulator.controlPort, 'POST /carriers/globe/octets', { hex: '0000000f 00000005' });
  await customer.waitFor('close');
  assert.equal(customer.of('close')[0]?.reason, 'broken_stream');
});

test('a receipt of an unknown id can be sent', async (t) => {
  const { customer, simulator } = await faulty(t, {});
  const orphan = { id: '0000000042', destination: '639170000001', stat: 'EXPIRED' };
  await control(simulator.controlPort, 'POST /carriers/globe/receipts', orphan);
  await customer.waitFor('receipt');
  const { receipt } = customer.of('receipt')[0]!;
  assert.deepEqual([receipt.id, receipt.stat], ['0000000042', 'EXPIRED']);
});

test('receipts refused for the moment are tried again, others are given up', async (t) => {
  const { customer, globe } = await faulty(t, {});
  customer.answerWith = 0x65;
  customer.submit('639170000001');
  await until(() => globe.counters().deliveries.refused === 1, 'the refusal');
  customer.answerWith = 0x14;
  customer.submit('639170000002');
  await until(() => globe.counters().deliveries.retried === 1, 'the first try');
  customer.answerWith = 0;
  await until(() => globe.counters().deliveries.acknowledged === 1, 'the second try');
  assert.equal(customer.of('receipt').length, 3);
});

test('faults that do not exist and browsers are refused', async (t) => {
  const simulator = await startQuick(t);
  assert.throws(() => changeFaults(NO_FAULTS, { erlyReceipt: 1 }), /no such fault/);
  assert.throws(() => changeFaults(NO_FAULTS, { earlyReceipt: '1' }), /must be a share/);
  assert.throws(() => changeFaults(NO_FAULTS, { errors: [{ status: 1 }] }), /must be a list/);
  await assert.rejects(
    control(simulator.controlPort, 'PATCH /carriers/globe/faults', { nope: 1 }),
    /400 no such fault/,
  );
  await assert.rejects(control(simulator.controlPort, 'GET /carriers/nobody'), /404/);
  await assert.rejects(control(simulator.controlPort, 'GET /nothing'), /404/);
  const response = await fetch(`http://127.0.0.1:${simulator.controlPort}/reset`, {
    method: 'POST',
    headers: { origin: 'http://evil.test' },
  });
  assert.equal(response.status, 403);
});
