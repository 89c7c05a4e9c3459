import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getValidForS } from './valid-for.ts';

const none = { verification: null, notification: null, marketing: null };

test('a code may wait 5 minutes, a notification a day, marketing has no end of its own', () => {
  assert.deepEqual([getValidForS(1, none), getValidForS(2, none), getValidForS(3, none)], [300, 86_400, null]);
  assert.equal(getValidForS(1, null), 300);
});

test('an application and a call shorten it, and neither extends it', () => {
  const set = { verification: 120, notification: null, marketing: 7_200 };
  assert.deepEqual([getValidForS(1, set), getValidForS(2, set), getValidForS(3, set)], [120, 86_400, 7_200]);
  assert.deepEqual([getValidForS(1, set, 60), getValidForS(1, set, 200), getValidForS(1, none, 600)], [60, 120, 300]);
  assert.deepEqual([getValidForS(3, set, 60), getValidForS(3, none, 60)], [60, 60]);
});
