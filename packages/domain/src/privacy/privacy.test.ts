import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mentionsNumber } from './mention-number.ts';
import { retentionHorizonMs } from './retention.ts';

test('a number is found in every spelling that a cell may have, and nothing else is', () => {
  for (const text of [
    '639171234567',
    '+63 (917) 123-4567',
    '09171234567',
    '９１７１２３４５６７',
    '0917.123.4567: Juan',
    'call 0917 123 4567 now',
  ])
    assert.ok(mentionsNumber(text, '639171234567'), text);
  for (const text of ['', '639171234568', 'order 917123', '0917 123 456'])
    assert.ok(!mentionsNumber(text, '639171234567'));
  assert.ok(mentionsNumber('+65 9123 4567', '6591234567'));
});

test('days go whole, by the clock of Manila', () => {
  const at = (text: string) => Date.parse(text);
  assert.equal(retentionHorizonMs(at('2026-06-30T15:59:59Z'), 30), at('2026-05-30T16:00:00Z'));
  assert.equal(retentionHorizonMs(at('2026-06-30T16:00:00Z'), 30), at('2026-05-31T16:00:00Z'));
});
