import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSendHour } from './choose-send-hour.ts';

const flat = (count: number, good: number) => Array.from({ length: 24 }, (_, hour) => ({ hour, count, good }));
const withHour = (hour: number, good: number, count = 1_000) =>
  flat(1_000, 30).map((each) => (each.hour === hour ? { hour, count, good } : each));

test('an hour that is clearly better is named, with the numbers of it and of the others', () => {
  assert.deepEqual(chooseSendHour(withHour(18, 80)), {
    hour: 18,
    count: 1_000,
    good: 80,
    othersCount: 23_000,
    othersGood: 690,
  });
});

test('a difference that may be chance names no hour', () => {
  assert.equal(chooseSendHour(flat(1_000, 30)), null);
  assert.equal(chooseSendHour(withHour(18, 40)), null, '4.0 of 3.0 % in a thousand');
  assert.equal(chooseSendHour(withHour(18, 8, 100)), null, 'a hundred messages');
  assert.notEqual(chooseSendHour(withHour(18, 4_000, 100_000)), null, 'the same 4.0 % in a hundred thousand');
});

test('an hour that none can be compared with is not the best one', () => {
  assert.equal(chooseSendHour([]), null);
  assert.equal(chooseSendHour(flat(0, 0)), null);
  assert.equal(
    chooseSendHour(flat(0, 0).map((each) => (each.hour === 9 ? { hour: 9, count: 9_000, good: 900 } : each))),
    null,
  );
});
