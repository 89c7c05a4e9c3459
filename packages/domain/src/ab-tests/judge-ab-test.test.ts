import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intervalOf, judgeAbTest } from './judge-ab-test.ts';

const tenths = (value: number | undefined): number => Math.round((value ?? Number.NaN) * 10_000) / 10_000;

test('the intervals of differences that Newcombe published', () => {
  // R. G. Newcombe, Statistics in Medicine 17 (1998), table II, method 10.
  const cases: [[number, number], [number, number], number, number][] = [
    [[56, 70], [48, 80], 0.0524, 0.3339],
    [[9, 10], [3, 10], 0.1705, 0.809],
    [[6, 7], [2, 7], 0.0582, 0.8062],
    [[5, 56], [0, 29], -0.0381, 0.1926],
    [[10, 10], [0, 20], 0.6791, 1],
  ];
  for (const [[good, count], [otherGood, otherCount], low, high] of cases) {
    const { leader, difference } = judgeAbTest([
      { good, count },
      { good: otherGood, count: otherCount },
    ]);
    assert.equal(leader, 0);
    assert.deepEqual([tenths(difference?.low), tenths(difference?.high)], [low, high]);
  }
});

test('a lead is within chance while its interval reaches to nothing', () => {
  const close = judgeAbTest([
    { good: 110, count: 1_248 },
    { good: 136, count: 1_248 },
  ]);
  assert.deepEqual([close.leader, close.rival, close.isWithinChance], [1, 0, true]);
  const clear = judgeAbTest([
    { good: 110, count: 1_248 },
    { good: 160, count: 1_248 },
  ]);
  assert.deepEqual([clear.leader, clear.isWithinChance], [1, false]);
});

test('more variants need a clearer lead: the same two shares, with and without others', () => {
  const [ahead, behind] = [
    { good: 145, count: 1_248 },
    { good: 112, count: 1_248 },
  ];
  const low = { good: 60, count: 1_248 };
  assert.equal(judgeAbTest([ahead, behind]).isWithinChance, false);
  const three = judgeAbTest([behind, low, ahead]);
  assert.deepEqual([three.leader, three.rival, three.isWithinChance], [2, 0, true]);
});

test('without data nothing leads for certain', () => {
  const none = { leader: null, rival: null, difference: null, isWithinChance: true };
  assert.deepEqual(
    judgeAbTest([
      { good: 0, count: 0 },
      { good: 0, count: 0 },
    ]),
    none,
  );
  assert.deepEqual(
    judgeAbTest([
      { good: 0, count: 0 },
      { good: 3, count: 10 },
    ]),
    { ...none, leader: 1 },
  );
  assert.equal(
    judgeAbTest([
      { good: 5, count: 5 },
      { good: 5, count: 5 },
    ]).isWithinChance,
    true,
  );
});

test('the interval of one share', () => {
  assert.equal(intervalOf({ good: 0, count: 0 }), null);
  const interval = intervalOf({ good: 81, count: 263 });
  assert.deepEqual([tenths(interval?.low), tenths(interval?.high)], [0.2553, 0.3662]);
});
