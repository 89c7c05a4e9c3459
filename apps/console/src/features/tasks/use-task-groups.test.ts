import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settleValues } from './use-task-groups.ts';

test('group values fill variables by name and order, and a manual choice is preserved while a group has it', () => {
  assert.deepEqual(settleValues([], ['city', '{1}', 'name'], 2), ['{1}', 'city']);
  assert.deepEqual(settleValues(['name'], ['city', 'name'], 2), ['name', 'name']);
  assert.deepEqual(settleValues(['gone', 'city'], ['city'], 2), ['city', 'city']);
  assert.deepEqual(settleValues([], [], 1), ['']);
});
