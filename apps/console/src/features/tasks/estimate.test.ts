import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SmsType } from '@pahatid/contract';
import { countRecipients, estimateSegments, isExact, priceRange, valuesOfRow } from './estimate.ts';

test('opted-out recipients are excluded from marketing only', () => {
  const file = { validCount: 100, optedOutCount: 8 };
  assert.equal(countRecipients(file, SmsType.Marketing), 92);
  assert.equal(countRecipients(file, SmsType.Notification), 100);
});

test('a text without variables is counted exactly', () => {
  assert.deepEqual(estimateSegments('x'.repeat(161), [], [], 1_000), { segments: 2_000, exact: true });
});

test('variables are reckoned from the first rows that are whole', () => {
  const long = 'y'.repeat(160);
  const sample = [
    ['0917', 'Ana'],
    ['0918', long],
    ['0919', ' '],
  ];
  assert.deepEqual(estimateSegments('Hi {1}', sample, [1], 1_000), { segments: 1_500, exact: false });
  assert.equal(estimateSegments('Hi {1}', sample, [null], 1_000), null);
  assert.equal(estimateSegments('Hi {1}', [['0919', '']], [1], 1_000), null);
});

test('values follow the mapping', () => {
  assert.deepEqual(valuesOfRow(['0917', ' Ana ', 'Cebu'], [2, 1, null]), ['Cebu', 'Ana', '']);
  assert.deepEqual(valuesOfRow(undefined, [1]), ['']);
});

test('the prices are those of carriers that get any', () => {
  const of = (price: number, recipients: number) => ({
    areaCode: 'PH',
    carrier: null,
    recipients,
    segments: recipients,
    price,
    cost: 0,
  });
  assert.equal(priceRange({ carriers: [], segments: 0, cost: 0 }), null);
  assert.deepEqual(priceRange({ carriers: [], segments: 10, cost: 35_000 }), { low: 3_500, high: 3_500 });
  assert.deepEqual(priceRange({ carriers: [of(3_500, 10), of(5_000, 1), of(9_000, 0)], segments: 11, cost: 40_000 }), {
    low: 3_500,
    high: 5_000,
  });
});

test('an estimate is exact where every row was looked at', () => {
  assert.ok(isExact({ readCount: 100, rowCount: 100 }));
  assert.ok(!isExact({ readCount: 100, rowCount: 101 }));
});
