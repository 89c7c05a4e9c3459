import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pending } from './pending.ts';
import type { CarrierReceipt, InboundText } from './ports.ts';
import { WorldClock } from './testing-world.ts';

const text = (content: string): InboundText => ({
  supplierId: 's',
  inboundId: content,
  msisdn: '639170000001',
  destination: '1',
  content,
  receivedMs: 0,
  part: null,
});

const receipt = (id: string): CarrierReceipt => ({
  supplierId: 's',
  receiptId: id,
  candidates: [id],
  msisdn: '639170000001',
  clientSid: '',
  needsPhone: false,
  clientStatus: 2,
  final: true,
  dealResult: 'DELIVERED',
  carrierCode: null,
  reportMs: null,
  receivedMs: 0,
});

test('a flush takes a limited number of rows, and acknowledges only its own', () => {
  const pending = new Pending(new WorldClock(), { flushRows: 3, flushBytes: 1e6 });
  const answered: number[] = [];
  for (let n = 0; n < 8; n++) {
    if (n % 2 === 0) pending.addInbound(text(String(n)), () => answered.push(n));
    else {
      pending.addReceipt(receipt(String(n)));
      pending.answer(() => answered.push(n));
      pending.note();
    }
  }
  const taken: string[] = [];
  for (const expected of [3, 6, 8]) {
    assert.equal(pending.isEmpty, false);
    const { said, acknowledge } = pending.take();
    taken.push(...said.inbound.map(({ content }) => content), ...said.receipts.map(({ receiptId }) => receiptId));
    for (const done of acknowledge) done();
    assert.equal(taken.length, expected);
    assert.deepEqual(answered.map(String).sort(), [...taken].sort());
  }
  assert.equal(pending.isEmpty, true);
  assert.equal(pending.isLong, false);
});

test('a flush takes so many bytes of what carriers wrote', () => {
  const pending = new Pending(new WorldClock(), { flushRows: 2_000, flushBytes: 100_000 });
  for (let n = 0; n < 20; n++) pending.addReceipt(receipt(`${n}`.padEnd(10_000, 'x')));
  for (let n = 0; n < 10; n++) pending.addInbound(text('x'.repeat(10_000)), () => {});
  const sizes: number[] = [];
  while (!pending.isEmpty) {
    const { said } = pending.take();
    sizes.push(said.receipts.length + said.inbound.length);
  }
  assert.deepEqual(sizes, [10, 10, 4, 4, 2]);
});
