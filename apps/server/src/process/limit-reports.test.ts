import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitReports } from './limit-reports.ts';

const recordReports = () => {
  const reported: string[] = [];
  let atMs = 0;
  const fail = limitReports(
    (what, error, count) => reported.push(`${what} ${(error as Error).message} ${count}`),
    () => atMs,
  );
  return {
    reported,
    fail: (what: string, message: string) => fail(what, new Error(message)),
    pass: (ms: number) => {
      atMs += ms;
    },
  };
};

test('a cause is reported once, and after a minute with how often it occurred', () => {
  const { reported, fail, pass } = recordReports();
  for (let turn = 0; turn < 1_000; turn++) fail('claim', 'no connection');
  assert.deepEqual(reported, ['claim no connection 1']);
  pass(59_999);
  fail('claim', 'no connection');
  assert.equal(reported.length, 1);
  pass(1);
  fail('claim', 'no connection');
  assert.deepEqual(reported.slice(1), ['claim no connection 1001']);
  fail('claim', 'no connection');
  assert.equal(reported.length, 2, 'the next minute has begun');
});

test('causes that alternate, and steps that fail alike, are reported once each', () => {
  const { reported, fail } = recordReports();
  for (let turn = 0; turn < 3; turn++) {
    fail('claim', 'no connection');
    fail('claim', 'disk full');
    fail('commit', 'disk full');
  }
  assert.deepEqual(reported, ['claim no connection 1', 'claim disk full 1', 'commit disk full 1']);
});

test('remembers a bounded number of causes, the latest', () => {
  const { reported, fail } = recordReports();
  for (let cause = 0; cause <= 100; cause++) fail('claim', `cause ${cause}`);
  fail('claim', 'cause 100');
  assert.equal(reported.length, 101);
  fail('claim', 'cause 0');
  assert.equal(reported.length, 102);
});
