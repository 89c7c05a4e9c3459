import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Role, TaskStatus } from '@pahatid/contract/enums';
import { allowedTaskActions, canTransition, fromStatuses, toStatus } from './task-states.ts';

/** Row: from; digits and letters of the line: may go to that status. Written out again from the product's table. */
const expected: Record<number, number[]> = {
  0: [2, 8],
  1: [0],
  2: [3, 10, 1, 7],
  3: [4, 7, 1, 8],
  4: [5, 8, 9],
  5: [6, 9],
  6: [4],
  7: [],
  8: [1],
  9: [4],
  10: [3, 11, 7],
  11: [1],
};

test('of all twelve times twelve transitions only the listed ones pass', () => {
  for (const from of Object.values(TaskStatus))
    for (const to of Object.values(TaskStatus))
      assert.equal(canTransition(from, to), expected[from]?.includes(to) ?? false, `${from} to ${to}`);
});

test('every action leads from its statuses to one status', () => {
  assert.deepEqual(fromStatuses('terminate'), [TaskStatus.Preparing, TaskStatus.Sending]);
  assert.equal(toStatus('retry'), TaskStatus.Preparing);
});

test('buttons follow the status, the pause flag and the role', () => {
  const sending = { taskStatus: TaskStatus.Sending, paused: 0, failedCount: 3 } as const;
  assert.deepEqual([...allowedTaskActions(sending, Role.Member)].sort(), ['pause', 'terminate']);
  assert.deepEqual([...allowedTaskActions({ ...sending, paused: 1 }, Role.Operator)].sort(), ['resume', 'terminate']);
  assert.deepEqual([...allowedTaskActions(sending, Role.Viewer)], []);
  const done = { taskStatus: TaskStatus.Completed, paused: 0, failedCount: 0 } as const;
  assert.equal(allowedTaskActions(done, Role.Owner).has('retry'), false);
  assert.equal(allowedTaskActions({ ...done, failedCount: 1 }, Role.Owner).has('retry'), true);
  assert.equal(allowedTaskActions(done, Role.Owner).has('resend'), false);
  assert.equal(allowedTaskActions({ ...done, resendableCount: 1 }, Role.Owner).has('resend'), true);
  const held = { ...sending, paused: 1, statusReason: 'PAUSED_BY_STAFF' } as const;
  assert.deepEqual([...allowedTaskActions(held, Role.Owner)], ['terminate']);
  assert.ok(allowedTaskActions(held, Role.Admin).has('resume'));
  const pending = { taskStatus: TaskStatus.PendingReview, paused: 0, failedCount: 0 } as const;
  assert.deepEqual([...allowedTaskActions(pending, Role.Reviewer)].sort(), ['approve', 'reject']);
});
