/** docs/security.md states for every check where it is tested or why not, and contains no false entry. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.join(import.meta.dirname, '..');
const last = 66;

interface Row {
  tests: string[];
  decisions: string[];
}

const rows = new Map<number, Row>();
for (const line of readFileSync(path.join(root, 'docs/security.md'), 'utf8').split('\n')) {
  const [, number, where = ''] = /^\| S(\d+) \|[^|]+\|(.+)\|$/.exec(line) ?? [];
  if (number === undefined) continue;
  assert.ok(!rows.has(Number(number)), `S${number} is there twice`);
  rows.set(Number(number), {
    tests: [...where.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, file = '']) => file),
    decisions: [...where.matchAll(/\]\((decisions\/[^)#]+)/g)].map(([, file = '']) => file),
  });
}

/** The initial ones must all be present; later findings from attacks are listed as they are fixed. */
const numbers = [
  ...Array.from({ length: last }, (_, index) => index + 1),
  ...[...rows.keys()].filter((number) => number > last).sort((a, b) => a - b),
];

/** For every test whose name begins with numbers: the file it is in. */
const tested = new Map<number, Set<string>>();
for (const folder of ['packages', 'apps', 'scripts', 'bench', 'e2e'])
  for (const entry of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith('.test.ts') || /(^|\/)(node_modules|dist)\//.test(entry)) continue;
    const file = `${folder}/${entry.replaceAll(path.sep, '/')}`;
    for (const [, begin = ''] of readFileSync(path.join(root, file), 'utf8').matchAll(/\btest\(\s*['"`]((?:S\d+ )+)/g))
      for (const [number] of begin.matchAll(/\d+/g))
        tested.set(Number(number), (tested.get(Number(number)) ?? new Set()).add(file));
  }

test('every check from S1 to S66 has its line, and a test or a decision', () => {
  assert.deepEqual(
    [...rows.keys()].sort((a, b) => a - b),
    numbers,
  );
  for (const number of numbers) {
    const { tests, decisions } = rows.get(number) ?? { tests: [], decisions: [] };
    assert.ok(tests.length + decisions.length > 0, `S${number} has neither a test nor a decision`);
    if (decisions.length === 0) assert.ok((tested.get(number)?.size ?? 0) > 0, `no test is named S${number}`);
  }
});

test('each file that is named for a check has a test of that number, and each decision is there', () => {
  for (const [number, { tests, decisions }] of rows) {
    for (const file of tests) assert.ok(tested.get(number)?.has(file), `${file} has no test named S${number}`);
    for (const file of decisions) {
      const said = path.join(root, 'docs', file);
      assert.ok(existsSync(said), file);
      assert.match(readFileSync(said, 'utf8'), mentions(number), `${file} does not speak of S${number}`);
    }
  }
});

test('no test is named by a number that is not on the list', () => {
  assert.deepEqual(
    [...tested.keys()].filter((number) => !rows.has(number)),
    [],
  );
});

/** Individually or within a range, `S40–S44`. */
const mentions = (number: number): RegExp => {
  const ranges: [number, number][] = [
    [40, 44],
    [45, 54],
  ];
  const range = ranges.find(([from, to]) => number >= from && number <= to);
  return range === undefined
    ? new RegExp(`\\bS${number}\\b`)
    : new RegExp(`\\bS${range[0]}–S${range[1]}\\b|\\bS${number}\\b`);
};
