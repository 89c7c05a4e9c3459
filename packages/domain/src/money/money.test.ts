import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMoney, isChargedOn, parseMoney } from './money.ts';

test('amounts are written with two decimals, with four where two would hide something', () => {
  assert.equal(formatMoney(3500), '₱0.35');
  assert.equal(formatMoney(12_345_000), '₱1,234.50');
  assert.equal(formatMoney(3512), '₱0.3512');
  assert.equal(formatMoney(-3500), '-₱0.35');
});

test('amounts are read back exactly, and nothing else is', () => {
  for (const [text, amount] of [
    ['0.35', 3500],
    ['₱1,234.5', 12_345_000],
    ['-2', -20_000],
    ['0.0001', 1],
  ] as const)
    assert.equal(parseMoney(text), amount);
  for (const text of ['', '1.23456', '1,23', '1e3', 'P5', '--1', '1.2.3']) assert.equal(parseMoney(text), null, text);
});

test('the sender pays when the carrier accepts, the receiver when it arrives', () => {
  assert.equal(isChargedOn('SenderPays', 'accepted'), true);
  assert.equal(isChargedOn('SenderPays', 'delivered'), false);
  assert.equal(isChargedOn('ReceiverPays', 'delivered'), true);
});
