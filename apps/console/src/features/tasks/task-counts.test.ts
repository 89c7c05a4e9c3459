import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStatus } from '@pahatid/contract';
import { countTask } from './task-counts.ts';

const counted = {
  taskStatus: TaskStatus.Sending,
  paused: 0,
  totalCount: 100,
  successCount: 60,
  failedCount: 5,
  deliveredCount: 40,
  undeliveredCount: 3,
  unknownCount: 2,
  unconfirmedCount: 1,
} as const;

test('every recipient is counted exactly once', () => {
  const counts = countTask(counted);
  const sum =
    counts.delivered +
    counts.awaiting +
    counts.refused +
    counts.undelivered +
    counts.unknown +
    counts.unconfirmed +
    counts.remaining;
  assert.equal(sum, counts.total);
  assert.equal(counts.awaiting, 15);
  assert.equal(counts.remaining, 34);
});

test('receipts that overtake the count of accepted requests make nothing negative', () => {
  const counts = countTask({ ...counted, successCount: 40, deliveredCount: 45 });
  assert.equal(counts.awaiting, 0);
  assert.equal(countTask({ ...counted, failedCount: 90 }).remaining, 0);
});

test('a paused or finished task does not move', () => {
  assert.equal(countTask(counted).moving, true);
  assert.equal(countTask({ ...counted, paused: 1 }).moving, false);
  assert.equal(countTask({ ...counted, taskStatus: TaskStatus.Completed }).moving, false);
  assert.equal(countTask({ ...counted, failedCount: 39 }).moving, false);
});
