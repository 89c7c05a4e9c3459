import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runForEach } from './run-bulk.ts';
import { pressRow } from './use-selection.ts';

const keys = ['a', 'b', 'c', 'd', 'e'];

test('a press changes one row; with Shift, all rows since the press before become as the pressed one', () => {
  const one = pressRow(keys, new Set(), 'b', null);
  assert.deepEqual([...one], ['b']);
  assert.deepEqual([...pressRow(keys, one, 'd', 'b')], ['b', 'c', 'd']);
  assert.deepEqual([...pressRow(keys, new Set(keys), 'a', 'c')], ['d', 'e']);
  // The row pressed before has left the page.
  assert.deepEqual([...pressRow(keys, one, 'e', 'gone')], ['b', 'e']);
});

test('each row is acted on once, at most four at a time, and failures leave the others alone', async () => {
  const rows = Array.from({ length: 30 }, (_, index) => index);
  const met: number[] = [];
  let running = 0;
  let most = 0;
  const failures = await runForEach(rows, async (row) => {
    running += 1;
    most = Math.max(most, running);
    met.push(row);
    await new Promise(setImmediate);
    running -= 1;
    if (row % 10 === 3) throw new Error(`row ${row}`);
  });
  assert.deepEqual(
    met.toSorted((a, b) => a - b),
    rows,
  );
  assert.equal(most, 4);
  assert.deepEqual(
    failures.map(({ row, error }) => [row, (error as Error).message]),
    [
      [3, 'row 3'],
      [13, 'row 13'],
      [23, 'row 23'],
    ],
  );
});
