import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffStates } from './diff-states.ts';

test('what changed comes first, field by field, and what stayed last', () => {
  const before = { name: 'Store', tps: 10, profile: { window: 5, codes: [1, 2] }, gone: 'x' };
  const after = { name: 'Store', tps: 20, profile: { window: 5, codes: [1, 3] }, fresh: true };
  assert.deepEqual(diffStates(before, after), [
    { path: 'tps', kind: 'changed', before: '10', after: '20' },
    { path: 'profile.codes', kind: 'changed', before: '1, 2', after: '1, 3' },
    { path: 'gone', kind: 'dropped', before: 'x', after: null },
    { path: 'fresh', kind: 'added', before: null, after: 'true' },
    { path: 'name', kind: 'same', before: 'Store', after: 'Store' },
    { path: 'profile.window', kind: 'same', before: '5', after: '5' },
  ]);
});

test('an entry without one of the two, or without both, is read as well', () => {
  assert.deepEqual(diffStates(null, { role: null }), [{ path: 'role', kind: 'added', before: null, after: '–' }]);
  assert.deepEqual(diffStates({ list: [] }, null), [{ path: 'list', kind: 'dropped', before: '–', after: null }]);
  assert.deepEqual(diffStates(null, null), []);
  assert.deepEqual(diffStates(null, [{ a: 1 }]), [{ path: '', kind: 'added', before: null, after: '[{"a":1}]' }]);
});
