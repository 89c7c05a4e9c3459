import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportChanges } from './report-changes.ts';

test('a failure that repeats is reported once, another one and one after a success again', () => {
  const reported: string[] = [];
  const { failed, worked } = reportChanges((error) => reported.push(String(error)));
  failed(new Error('no connection'));
  failed(new Error('no connection'));
  failed(new Error('disk full'));
  failed(new Error('no connection'));
  worked();
  failed(new Error('no connection'));
  const lost = 'Error: no connection';
  assert.deepEqual(reported, [lost, 'Error: disk full', lost, lost]);
});
