import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { hexToDecimalId, normaliseMessageId, Reassembler, readUserData, segmentText } from '@pahatid/smpp';
import type { JournalEntry } from './journal-store.ts';
import { OVERRIDES } from './outcomes.ts';
import { drawFrom } from './random.ts';
import { bindCustomer, boundCustomer, control, startQuick, until } from './test-customer.ts';

test('the three default carriers write ids and receipts in three manners', async (t) => {
  const simulator = await startQuick(t);
  const seen = new Map<
    string,
    { id: string; text: string; receiptId: string | undefined; tlvId: string | undefined }
  >();
  for (const name of ['globe', 'smart', 'dito']) {
    const customer = await boundCustomer(t, simulator.port, { system_id: name, password: `${name}pw` });
    customer.submit('639170000001', 'Kumusta');
    await customer.waitFor('receipt');
    await customer.waitFor('response');
    const { receipt, pdu } = customer.of('receipt')[0]!;
    assert.equal(receipt.stat, 'DELIVRD');
    assert.deepEqual([pdu.source_addr, pdu.destination_addr], ['639170000001', 'SARISARI']);
    const id = customer.of('response')[0]?.messageId ?? '';
    seen.set(name, { id, text: readUserData(pdu).octets.toString(), receiptId: receipt.id, tlvId: receipt.tlvId });
  }
  const [globe, smart, dito] = [seen.get('globe')!, seen.get('smart')!, seen.get('dito')!];
  assert.match(globe.id, /^\d{10}$/);
  assert.deepEqual([globe.receiptId, globe.tlvId], [globe.id, globe.id]);
  assert.match(
    globe.text,
    /^id:\d{10} sub:001 dlvrd:001 submit date:\d{10} done date:\d{10} stat:DELIVRD err:000 text:Kumusta$/,
  );
  assert.match(smart.id, /^[0-9a-f]+$/);
  assert.equal(normaliseMessageId(smart.receiptId ?? ''), hexToDecimalId(smart.id));
  assert.equal(smart.tlvId, undefined);
  assert.match(smart.text, /submit date:\d{12} /);
  assert.match(dito.id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual([dito.tlvId, dito.text], [dito.id, `${dito.id} 2`]);
});

test('M1: wrong passwords, unknown names and binds beyond the limit are refused', async (t) => {
  const simulator = await startQuick(t, { all: { maxBinds: 1 } });
  assert.equal(await bindCustomer(simulator.port, { password: 'wrong' }), 0x0e);
  assert.equal(await bindCustomer(simulator.port, { system_id: 'nobody' }), 0x0f);
  const first = await boundCustomer(t, simulator.port);
  assert.equal(await bindCustomer(simulator.port), 0x0d);
  await first.session.stop();
  const second = await bindCustomer(simulator.port);
  assert.ok(typeof second !== 'number');
  second.session.close();
});

test('M1: beyond the rate and beyond the window submits are throttled', async (t) => {
  const simulator = await startQuick(t, { all: { tps: 20 } });
  const customer = await boundCustomer(t, simulator.port);
  for (let i = 0; i < 60; i++) customer.submit(`6391700000${10 + i}`);
  await customer.waitFor('response', 60);
  const taken = customer.of('response').filter(({ status }) => status === 0).length;
  assert.ok(taken >= 20 && taken <= 30, `${taken} taken`);
  assert.ok(customer.of('response').every(({ status }) => status === 0 || status === 0x58));
  simulator.carrier('globe').change({ tps: 0, window: 5, latency: { fromMs: 30, toMs: 30 } });
  for (let i = 0; i < 20; i++) customer.submit(`6391800000${10 + i}`);
  await customer.waitFor('response', 80);
  const late = customer.of('response').slice(60);
  assert.equal(late.filter(({ status }) => status === 0).length, 5);
});

test('M1: beyond the queue limit submits are refused until receipts are acknowledged', async (t) => {
  const simulator = await startQuick(t, { all: { queueLimit: 3 } });
  simulator.carrier('globe').setFaults({ holdReceipts: true });
  const customer = await boundCustomer(t, simulator.port);
  for (let i = 0; i < 5; i++) customer.submit(`63917000000${i}`);
  await customer.waitFor('response', 5);
  assert.deepEqual(
    customer.of('response').map(({ status }) => status),
    [0, 0, 0, 0x14, 0x14],
  );
  simulator.carrier('globe').clearFaults();
  await customer.waitFor('receipt', 3);
  customer.submit('639170000006');
  await customer.waitFor('response', 6);
  assert.equal(customer.of('response')[5]?.status, 0);
});

test('M1: a share of the responses may take longer than the others', () => {
  const span = { fromMs: 10, toMs: 20, tailShare: 0.1, tailMs: 1_000 };
  const drawn = Array.from({ length: 1_000 }, (_, i) => drawFrom(span, i / 1_000));
  assert.equal(drawn.filter((ms) => ms <= 20).length, 901);
  assert.ok(drawn.every((ms, i) => ms >= 10 && ms < 1_000 && (i === 0 || ms >= drawn[i - 1]!)));
  assert.equal(drawFrom({ fromMs: 5, toMs: 15 }, 0.5), 10);
});

test('M1: responses take the configured time and can overtake each other', async (t) => {
  const simulator = await startQuick(t, { all: { latency: { fromMs: 20, toMs: 40 }, reorder: 0.5 } });
  const customer = await boundCustomer(t, simulator.port);
  const startedAt = performance.now();
  const phones = Array.from({ length: 50 }, (_, i) => `6391700001${10 + i}`);
  for (const phone of phones) customer.submit(phone);
  await customer.waitFor('response', 1);
  assert.ok(performance.now() - startedAt >= 15);
  await customer.waitFor('response', 50);
  assert.notDeepEqual(
    customer.of('response').map(({ token }) => token),
    phones,
  );
});

test('M2: the same seed gives every destination the same outcome, in the shares of the mix', async (t) => {
  const outcomes = { delivered: 0.7, undeliv: 0.2, refused: 0.1, refusedStatus: 0x0b };
  const runs: Map<string, string>[] = [];
  for (const reversed of [false, true]) {
    const simulator = await startQuick(t, { seed: 7, all: { outcomes } });
    const customer = await boundCustomer(t, simulator.port, { window: 400 });
    const phones = Array.from({ length: 400 }, (_, i) => `639170${100_000 + i}`);
    for (const phone of reversed ? phones.reverse() : phones) customer.submit(phone);
    await customer.waitFor('response', 400);
    const refused = customer.of('response').filter(({ status }) => status !== 0);
    await customer.waitFor('receipt', 400 - refused.length);
    assert.ok(refused.every(({ status }) => status === 0x0b));
    const result = new Map(refused.map(({ token }) => [token, 'refused']));
    for (const { receipt, pdu } of customer.of('receipt')) result.set(pdu.source_addr, receipt.stat ?? '');
    runs.push(result);
  }
  assert.deepEqual(runs[0], runs[1]);
  const count = (outcome: string) => [...runs[0]!.values()].filter((value) => value === outcome).length;
  assert.ok(count('DELIVRD') > 240 && count('UNDELIV') > 50 && count('refused') > 15);
});

test('M2: the last seven digits decide, and the counted-up numbers of a demo never end in them', async (t) => {
  const simulator = await startQuick(t, { all: { outcomes: { expired: 1 } } });
  const customer = await boundCustomer(t, simulator.port);
  const stats = new Map<string, string[]>();
  for (const { suffix, outcome } of OVERRIDES) {
    if (outcome.fault === undefined) customer.submit(`63917${suffix}`);
    assert.ok(Number(suffix) > 5_000_000);
  }
  const plain = OVERRIDES.filter(({ outcome }) => outcome.fault === undefined);
  const receipts = plain.reduce((total, { outcome }) => total + outcome.receipts.length, 0);
  await customer.waitFor('response', plain.length);
  await customer.waitFor('receipt', receipts);
  for (const { receipt, pdu } of customer.of('receipt')) {
    stats.set(pdu.source_addr, [...(stats.get(pdu.source_addr) ?? []), receipt.stat ?? '']);
  }
  for (const { suffix, outcome } of plain) {
    const response = customer.of('response').find(({ token }) => token.endsWith(suffix));
    assert.equal(response?.status, outcome.status, suffix);
    assert.deepEqual(
      stats.get(`63917${suffix}`) ?? [],
      outcome.receipts.map(({ stat }) => stat),
    );
  }
});

test('M5: receipts not acknowledged are repeated after a rebind', async (t) => {
  const simulator = await startQuick(t);
  const first = await boundCustomer(t, simulator.port);
  first.answerWith = undefined;
  for (let i = 0; i < 5; i++) first.submit(`63917000000${i}`);
  await first.waitFor('receipt', 5);
  first.session.close();
  const second = await boundCustomer(t, simulator.port, { mode: 'receiver' });
  await second.waitFor('receipt', 5);
  const ids = (heard: typeof first) => heard.of('receipt').map(({ receipt }) => receipt.id);
  assert.deepEqual(new Set(ids(second)), new Set(ids(first)));
  await until(() => simulator.carrier('globe').counters().deliveries.acknowledged === 5, 'acknowledgements');
});

test('M5: receipts wait while no receiver is bound', async (t) => {
  const simulator = await startQuick(t);
  const transmitter = await boundCustomer(t, simulator.port, { mode: 'transmitter' });
  transmitter.submit('639170000001');
  await transmitter.waitFor('response');
  assert.equal(simulator.carrier('globe').counters().deliveriesWaiting, 1);
  const receiver = await boundCustomer(t, simulator.port, { mode: 'receiver' });
  await receiver.waitFor('receipt');
  assert.equal(transmitter.of('receipt').length, 0);
});

test('M6: the journal has every submit, and counts messages, copies and parts', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'journal.ndjson');
  const simulator = await startQuick(t, { journal: path });
  const customer = await boundCustomer(t, simulator.port);
  customer.submit('639170000001', 'one');
  customer.submit('639170000001', 'one');
  customer.submit('639170000002', 'one');
  customer.submit('639179999911', 'refused');
  const { parts, esm_class } = segmentText('x'.repeat(400), 9);
  for (const short_message of parts) customer.submit('639170000003', '', { esm_class, short_message });
  await customer.waitFor('response', 4 + parts.length);
  const counters = await control(simulator.controlPort, 'GET /counters');
  const { received, submits, messages, unique, duplicates, incomplete } = counters;
  assert.deepEqual(
    { received, submits, messages, unique, duplicates, incomplete },
    { received: 7, submits: 6, messages: 4, unique: 3, duplicates: 1, incomplete: 0 },
  );
  const twice = await control(simulator.controlPort, 'GET /destinations?minCopies=2');
  assert.deepEqual(twice.items, [{ carrier: 'globe', destination: '639170000001', copies: 2 }]);
  assert.equal((await control(simulator.controlPort, 'GET /destinations/639170000003')).copies, 1);
  const { items, next } = await control<{ items: JournalEntry[]; next: number }>(
    simulator.controlPort,
    'GET /journal?limit=4',
  );
  assert.deepEqual(
    items.map(({ destination, text, status, id, parts: total }) => [destination, text, status, id, total]),
    [
      ['639170000001', 'one', 0, '0001000000', 1],
      ['639170000001', 'one', 0, '0001000001', 1],
      ['639170000002', 'one', 0, '0001000002', 1],
      ['639179999911', 'refused', 0x0b, '', 1],
    ],
  );
  const rest = await control<{ items: JournalEntry[]; next: null }>(simulator.controlPort, `GET /journal?from=${next}`);
  assert.deepEqual(
    rest.items.map(({ part, parts: total, reference }) => [part, total, reference]),
    [
      [1, 3, 9],
      [2, 3, 9],
      [3, 3, 9],
    ],
  );
  const ndjson = await (
    await fetch(`http://127.0.0.1:${simulator.controlPort}/journal.ndjson?destination=639170000001`)
  ).text();
  assert.equal(ndjson.trim().split('\n').length, 2);
  await until(() => readFileSync(path, 'utf8').trim().split('\n').length === 7, 'the file');
  const lines = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JournalEntry);
  assert.deepEqual(lines, [...simulator.journal.entries()]);
  await control(simulator.controlPort, 'POST /reset');
  assert.equal((await control(simulator.controlPort, 'GET /counters')).submits, 0);
});

for (const joinedBy of ['udh8', 'udh16', 'sar'] as const) {
  test(`M7: a long message from a phone comes in parts joined by ${joinedBy}, in the order asked for`, async (t) => {
    const simulator = await startQuick(t);
    const customer = await boundCustomer(t, simulator.port);
    const text = 'Salamat '.repeat(50);
    const message = { from: '639170000001', to: '2929', text, joinedBy, reference: 77, order: [3, 1, 2] };
    await control(simulator.controlPort, 'POST /carriers/globe/messages', message);
    await customer.waitFor('message', 3);
    const reassembler = new Reassembler<string>();
    const states = customer.of('message').map(({ pdu }) => {
      const { octets, concatenation } = readUserData(pdu);
      return reassembler.add(pdu.source_addr, concatenation!, octets.toString());
    });
    const whole = states[2]!;
    assert.equal(whole.state === 'complete' && whole.parts.join(''), text);
  });
}

test('M7: a short message, and a long one in message_payload', async (t) => {
  const simulator = await startQuick(t);
  const customer = await boundCustomer(t, simulator.port);
  const common = { from: '639170000001', to: '2929' };
  await control(simulator.controlPort, 'POST /carriers/globe/messages', { ...common, text: 'T' });
  await control(simulator.controlPort, 'POST /carriers/globe/messages', {
    ...common,
    text: 'x'.repeat(300),
    joinedBy: 'payload',
  });
  await customer.waitFor('message', 2);
  assert.deepEqual(
    customer.of('message').map(({ pdu }) => readUserData(pdu).octets.length),
    [1, 300],
  );
});

test('a receipt is written only if it is asked for', async (t) => {
  const simulator = await startQuick(t);
  const customer = await boundCustomer(t, simulator.port);
  customer.submit('639170000001', 'none', { registered_delivery: 0 });
  customer.submit('639170000002', 'failures only', { registered_delivery: 2 });
  customer.submit('639179999901', 'failures only', { registered_delivery: 2 });
  await customer.waitFor('receipt');
  assert.deepEqual(
    customer.of('receipt').map(({ pdu }) => pdu.source_addr),
    ['639179999901'],
  );
  assert.equal(simulator.carrier('globe').counters().deliveries.queued, 1);
});
