import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientStatus } from '@pahatid/contract/enums';
import type { Outgoing } from './outgoing.ts';
import type { CarrierReceipt } from './ports.ts';
import { namesPhone, ReceiptIndex } from './receipt-index.ts';
import { RecentMap } from './recent-map.ts';

const msisdn = '639171234567';
const receipt = (n: number, receivedMs = 0): CarrierReceipt => ({
  supplierId: 'globe',
  receiptId: `receipt-${n}`,
  candidates: [`${n}`, `hex${n}`, `dec${n}`],
  msisdn,
  clientSid: 'PAHATID',
  needsPhone: false,
  clientStatus: ClientStatus.Delivered,
  final: true,
  dealResult: 'DELIVERED',
  carrierCode: null,
  reportMs: null,
  receivedMs,
});
const outgoing = (): Outgoing => ({ message: { msisdn }, remembered: [] }) as unknown as Outgoing;

test('receipts wait under at most as many ids as the cap, and the newest are among them', () => {
  const book = new ReceiptIndex(1_000, 1_000);
  for (let n = 0; n < 5_000; n++) {
    book.keepWaiting(receipt(n));
    assert.ok(book.waiting <= 1_000, `${book.waiting} ids after ${n + 1} receipts`);
  }
  assert.equal(book.takeWaiting('dec4999', msisdn)[0]?.receiptId, 'receipt-4999');
});

test('a receipt that a carrier repeats is kept a few times, and not for ever', () => {
  const book = new ReceiptIndex();
  for (let n = 0; n < 1_000; n++) book.keepWaiting({ ...receipt(1), receiptId: `copy-${n}` });
  assert.equal(book.takeWaiting('1', msisdn).length, 8);
  assert.equal(book.waiting, 0);
});

test('what the store has matched since is forgotten under all its ids', () => {
  const book = new ReceiptIndex();
  book.keepWaiting(receipt(1));
  book.keepWaiting({ ...receipt(1), receiptId: 'copy' });
  book.forgetWaiting('receipt-1');
  assert.deepEqual(
    book.takeWaiting('hex1', msisdn).map(({ receiptId }) => receiptId),
    ['copy'],
  );
  book.forgetWaiting('copy');
  assert.equal(book.waiting, 0);
});

test('what has waited longer than any response takes is forgotten, though there is room', () => {
  const book = new ReceiptIndex();
  const minutes = (count: number): number => 1_000_000_000 + count * 60_000;
  book.keepWaiting(receipt(1, minutes(0)));
  book.keepWaiting(receipt(2, minutes(11)));
  book.keepWaiting(receipt(3, minutes(22)));
  assert.deepEqual(book.takeWaiting('1', msisdn), []);
  assert.equal(book.takeWaiting('2', msisdn).length, 1);
});

test('messages are remembered up to the cap, the newest half of it always', () => {
  const book = new ReceiptIndex(1_000);
  for (let n = 0; n < 5_000; n++) book.remember(`${n}`, outgoing(), 1);
  assert.ok(book.size <= 1_000 && book.size >= 500, `${book.size} remembered`);
  for (let n = 4_500; n < 5_000; n++) assert.notEqual(book.find(receipt(n)), null);
  assert.equal(book.find(receipt(0)), null);
});

test('messages with received receipts are evicted, so that those without one stay', () => {
  const book = new ReceiptIndex(1_000);
  const silent = outgoing();
  book.remember('silent', silent, 1);
  for (let n = 0; n < 10_000; n++) {
    const each = outgoing();
    book.remember(`${n}`, each, 1);
    book.forget(each);
  }
  assert.equal(book.size, 1);
  assert.equal(book.find({ ...receipt(0), candidates: ['silent'] })?.outgoing, silent);
});

test('a key that is set again is one key, with its last value, and the newest', () => {
  const map = new RecentMap<number>(4);
  for (const [index, key] of ['a', 'b', 'c', 'a', 'd', 'e'].entries()) map.set(key, index);
  assert.equal(map.get('a'), 3);
  assert.equal(map.get('b'), undefined);
  assert.ok(map.size <= 4);
});

test('C12: a receipt without a phone does not match a message whose phone was erased', () => {
  assert.equal(namesPhone({ msisdn: '', clientSid: '' }, ''), false);
  assert.equal(namesPhone({ msisdn: 'PAHATID', clientSid: '639171234567' }, '639171234567'), true);
});
