import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SmsType, TaskStatus } from '@pahatid/contract';
import { countRecipients, estimateSegments, lastPrice, lastSpeed, valuesOfRow } from './estimate.ts';

test('who opted out is left out of marketing alone', () => {
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

test('the price is that of the latest task that was checked', () => {
  assert.equal(lastPrice([]), null);
  assert.equal(
    lastPrice([
      { estimatedCost: null, estimatedSegments: null },
      { estimatedCost: 70_000, estimatedSegments: 20 },
      { estimatedCost: 10, estimatedSegments: 1 },
    ]),
    3_500,
  );
});

test('the speed is that of the latest task large enough to tell', () => {
  const at = (second: number) => new Date(second * 1000).toISOString();
  const done = {
    taskStatus: TaskStatus.Completed,
    retryCount: 0,
    totalCount: 5_000,
    startTime: at(0),
    endTime: at(10),
  };
  assert.equal(lastSpeed([]), null);
  assert.equal(
    lastSpeed([
      { ...done, taskStatus: TaskStatus.Terminated, endTime: at(1) },
      { ...done, retryCount: 1, endTime: at(9_000) },
      { ...done, totalCount: 10, endTime: at(1) },
      done,
      { ...done, totalCount: 9_000 },
    ]),
    500,
  );
});
