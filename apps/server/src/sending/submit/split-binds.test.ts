import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BindHolder, splitBinds } from './split-binds.ts';

const make = (owner: string, held: number, isUnable = false): BindHolder => ({ owner, held, isUnable });
const split = (bindCount: number, ...holders: BindHolder[]): Record<string, number> =>
  Object.fromEntries(splitBinds(bindCount, holders));

test('a single process has all binds, and no process none', () => {
  assert.deepEqual(split(4, make('a', 0)), { a: 4 });
  assert.deepEqual(split(4), {});
});

test('binds are shared evenly, and odd ones stay with the process that has them', () => {
  assert.deepEqual(split(4, make('a', 0), make('b', 4)), { a: 2, b: 2 });
  assert.deepEqual(split(5, make('a', 0), make('b', 5)), { a: 2, b: 3 });
  assert.deepEqual(split(5, make('a', 2), make('b', 3)), { a: 2, b: 3 });
  assert.deepEqual(split(4, make('a', 0), make('b', 2), make('c', 2)), { a: 1, b: 2, c: 1 });
});

test('with more processes than binds some have none, and nothing moves', () => {
  assert.deepEqual(split(2, make('a', 0), make('b', 1), make('c', 0), make('d', 1)), { a: 0, b: 1, c: 0, d: 1 });
});

test('a process that could not bind leaves its binds to others, unless none of them could', () => {
  assert.deepEqual(split(2, make('a', 2, true), make('b', 0)), { a: 0, b: 2 });
  assert.deepEqual(split(2, make('a', 1, true), make('b', 1, true)), { a: 1, b: 1 });
});

test('in any case all binds are given out once, and a split that was reached stays', () => {
  for (let bindCount = 1; bindCount <= 9; bindCount++) {
    for (let processes = 1; processes <= 6; processes++) {
      const holders = Array.from({ length: processes }, (_, n) => make(`p${n}`, (n * 7 + bindCount) % 4));
      const parts = splitBinds(bindCount, holders);
      const sizes = [...parts.values()];
      assert.equal(
        sizes.reduce((sum, size) => sum + size, 0),
        bindCount,
      );
      assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1);
      const reached = holders.map(({ owner }) => make(owner, parts.get(owner) ?? 0));
      assert.deepEqual(splitBinds(bindCount, reached), parts);
    }
  }
});
