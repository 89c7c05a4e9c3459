import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharePanes, sparePanes } from './share-panes.ts';

const count = (kinds: readonly string[], kind: string) => kinds.filter((one) => one === kind).length;

test('a hundred panes represent the percentages of all recipients', () => {
  const kinds = sharePanes(
    [
      { kind: 'done', count: 29_874 },
      { kind: 'half', count: 1_134 },
      { kind: 'bad', count: 825 },
      { kind: 'now', count: 72 },
    ],
    49_384,
    100,
  );
  assert.deepEqual(
    ['done', 'half', 'bad', 'now'].map((kind) => count(kinds, kind)),
    [61, 2, 2, 1],
  );
});

test('one failure among a million is still seen', () => {
  const kinds = sharePanes(
    [
      { kind: 'done', count: 999_999 },
      { kind: 'bad', count: 1 },
    ],
    1_000_000,
    100,
  );
  assert.equal(count(kinds, 'bad'), 1);
  assert.equal(kinds.length, 100);
});

test('never more panes than available, whatever the parts', () => {
  for (let seed = 1; seed <= 500; seed += 1) {
    const parts = (['done', 'half', 'bad', 'now'] as const).map((kind, index) => ({
      kind,
      count: (seed * 7919 * (index + 3)) % [1, 5, 997, 100_003][(seed + index) % 4]!,
    }));
    const sum = parts.reduce((total, part) => total + part.count, 0);
    const kinds = sharePanes(parts, sum + (seed % 3) * 10, 100);
    assert.ok(kinds.length <= 100, `${kinds.length} panes for ${JSON.stringify(parts)}`);
    for (const part of parts) assert.equal(count(kinds, part.kind) > 0, part.count > 0);
  }
});

test('an empty task has empty panes', () => {
  assert.deepEqual(sharePanes([{ kind: 'done', count: 0 }], 0, 100), []);
});

test('a narrow strip has half the panes, and shows each kind that the wide one shows', () => {
  const all = ['done', 'half', 'bad', 'now'] as const;
  const kinds = sharePanes(
    [
      { kind: 'done', count: 9_716 },
      { kind: 'bad', count: 284 },
    ],
    10_000,
    32,
  );
  const spare = sparePanes(kinds, 32);
  assert.equal(spare.size, 16);
  assert.ok(kinds.some((kind, place) => kind === 'bad' && !spare.has(place)));
  for (let seed = 1; seed <= 500; seed += 1) {
    const parts = all.map((kind, index) => ({
      kind,
      count: (seed * (index * 37 + 11)) % 97 < 40 ? 0 : seed % (index + 5),
    }));
    const wide = sharePanes(parts, 1 + parts.reduce((sum, part) => sum + part.count, 0) + (seed % 3) * 40, 32);
    const left = wide.filter((_, place) => !sparePanes(wide, 32).has(place));
    assert.deepEqual(new Set(left), new Set(wide), String(seed));
  }
});
