import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeNames } from './png-of.ts';

test('names of a saved picture wrap where the line is full, and none is left out', () => {
  const names = ['Globe', 'Smart', 'DITO', 'Carrier unknown'].map((name) => ({ name, color: '#000' }));
  const placed = placeNames(names, 150, (text) => text.length * 7);
  assert.deepEqual(
    placed.map(({ line, at }) => [line, at]),
    [
      [0, 0],
      [0, 67],
      [1, 0],
      [2, 0],
    ],
  );
  assert.deepEqual(
    placeNames([], 150, () => 0),
    [],
  );
});
