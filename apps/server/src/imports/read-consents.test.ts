import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConsentTime } from './read-consents.ts';

const now = new Date('2026-11-29T00:00:00Z');

test('times of a file are read with a zone, or as Manila time without one; days that do not exist and the future are refused', () => {
  const cases: [string, string | null][] = [
    ['2026-03-01', '2026-02-28T16:00:00.000Z'],
    [' 2026-03-01 14:05 ', '2026-03-01T06:05:00.000Z'],
    ['2026-03-01T14:05:30Z', '2026-03-01T14:05:30.000Z'],
    ['2026-03-01T14:05:30.123+09:00', '2026-03-01T05:05:30.000Z'],
    ['2024-02-29', '2024-02-28T16:00:00.000Z'],
    ['2026-02-30', null],
    ['2026-13-01', null],
    ['2026-03-01 25:00', null],
    ['01/03/2026', null],
    ['2026-11-30', null],
  ];
  for (const [cell, expected] of cases) assert.equal(readConsentTime(cell, now)?.toISOString() ?? null, expected, cell);
});
