import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TaskBreakdown, TaskStatus } from '@pahatid/contract';
import { countTask, isBreakdownDue, sumTasks } from './task-counts.ts';

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

test('a breakdown is reloaded until it matches the counts', () => {
  const ended = { ...counted, taskStatus: TaskStatus.Completed, failedCount: 39, endTime: '2026-11-22T08:00:00Z' };
  const carrier = {
    carrier: 'Globe',
    recipients: 100,
    waitingCount: 1,
    acceptedCount: 60,
    failedCount: 39,
    deliveredCount: 40,
    undeliveredCount: 3,
    unknownCount: 2,
  };
  const of = (change: Partial<typeof carrier>): TaskBreakdown => ({
    carriers: [{ ...carrier, ...change }],
    reasons: [],
  });
  const end = Date.parse(ended.endTime);
  const isDue = (breakdown: TaskBreakdown | undefined, afterMs: number) =>
    isBreakdownDue(ended, breakdown, end + afterMs);
  assert.equal(isBreakdownDue({ ...ended, taskStatus: TaskStatus.Sending, endTime: null }, of({}), end), true);
  assert.equal(isDue(of({ recipients: 40 }), 1_000), true, 'the server may still answer what it was before the end');
  assert.equal(isDue(of({}), 60_000), false);
  assert.equal(isDue(of({ deliveredCount: 12 }), 60_000), true, 'receipts came since');
  assert.equal(isDue(of({ recipients: 40, deliveredCount: 12 }), 60_000), false, 'messages that were deleted');
  assert.equal(isDue(undefined, 60_000), false);
});

test('sums of the list are those of its columns: valid recipients before a task has run, nothing accepted by then', () => {
  const task = { taskStatus: TaskStatus.Completed, totalCount: 10, mobileFile: null, successCount: 8, chargedCost: 35 };
  const file = { fileId: 'f', fileName: 'a.csv', validCount: 5 };
  const waiting = { ...task, taskStatus: TaskStatus.Confirmed, totalCount: 0, mobileFile: file, chargedCost: 0 };
  assert.deepEqual(sumTasks([task, waiting, { ...waiting, mobileFile: null }]), {
    recipients: 15,
    accepted: 8,
    chargedCost: 35,
  });
  assert.deepEqual(sumTasks([]), { recipients: 0, accepted: 0, chargedCost: 0 });
});
