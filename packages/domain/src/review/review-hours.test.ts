import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectedReviewBy } from './review-hours.ts';

const by = (submitted: string, holidays: string[] = []): string =>
  new Date(expectedReviewBy(Date.parse(`${submitted}+08:00`), new Set(holidays)) + 8 * 3_600_000)
    .toISOString()
    .slice(0, 16);

test('two working hours later, over nights, weekends and holidays', () => {
  assert.equal(by('2026-11-20T10:00'), '2026-11-20T12:00');
  assert.equal(by('2026-11-20T20:00'), '2026-11-21T10:00', 'Friday evening ends at nine, Saturday begins at nine');
  assert.equal(by('2026-11-21T17:30'), '2026-11-22T10:30', 'Saturday ends at six');
  assert.equal(by('2026-11-20T03:00'), '2026-11-20T11:00');
  assert.equal(by('2026-11-29T17:00', ['2026-11-30']), '2026-12-01T10:00', 'Bonifacio Day is a Monday');
  assert.equal(by('2026-11-20T19:00'), '2026-11-20T21:00', 'to the last minute');
});

test('a table of nothing but holidays does not wait for ever', () => {
  const days = Array.from({ length: 800 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10));
  assert.ok(by('2026-01-01T10:00', days).startsWith('2027-01-02'));
});
