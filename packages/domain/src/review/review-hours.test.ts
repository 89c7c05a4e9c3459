import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectedReviewBy, readReviewClock, reviewTimeBetween } from './review-hours.ts';

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

test('vectors: before nine, Friday 20:30, a holiday on Monday, the ends of months and of the year', () => {
  assert.equal(by('2026-11-23T08:59'), '2026-11-23T11:00', 'before nine counts from nine');
  assert.equal(by('2026-11-23T09:00'), '2026-11-23T11:00');
  assert.equal(by('2026-11-20T20:30'), '2026-11-21T10:30', 'half an hour on Friday, the rest on Saturday');
  assert.equal(by('2026-11-22T18:00'), '2026-11-23T11:00', 'Sunday evening begins on Monday');
  assert.equal(by('2026-11-29T16:30', ['2026-11-30']), '2026-12-01T09:30', 'over a month and a holiday');
  assert.equal(by('2027-01-31T17:00'), '2027-02-01T10:00', 'a Sunday that ends a month');
  assert.equal(by('2026-12-29T20:00', ['2026-12-30', '2026-12-31', '2027-01-01']), '2027-01-02T10:00', 'over the year');
  assert.equal(by('2026-11-30T12:00', ['2026-11-30']), '2026-12-01T11:00', 'submitted on the holiday');
});

const at = (local: string): number => Date.parse(`${local}+08:00`);
const minutes = (ms: number): number => ms / 60_000;

test('the clock counts only review time, and stops outside review hours', () => {
  const clock = (submitted: string, now: string, holidays: string[] = []) =>
    readReviewClock(at(submitted), at(now), new Set(holidays));
  const running = clock('2026-11-20T10:00', '2026-11-20T10:40');
  assert.deepEqual([minutes(running.leftMs), running.stopped, running.delay], [80, null, null]);
  assert.equal(minutes(clock('2026-11-20T10:00', '2026-11-20T12:25').leftMs), -25, 'too late');
  assert.equal(minutes(clock('2026-11-20T18:00', '2026-11-21T09:30').leftMs), -90, "the night is nobody's delay");
  const night = clock('2026-11-20T20:30', '2026-11-20T23:00');
  assert.equal(minutes(night.leftMs), 90);
  assert.deepEqual(night.stopped, { why: 'closed', untilMs: at('2026-11-21T09:00') });
  assert.deepEqual(night.delay, { closed: true, holidays: [] });
  const early = clock('2026-11-23T07:00', '2026-11-23T08:00');
  assert.deepEqual(early.stopped, { why: 'closed', untilMs: at('2026-11-23T09:00') });
  assert.deepEqual([minutes(early.leftMs), early.delay], [120, { closed: true, holidays: [] }]);
  const holiday = clock('2026-11-29T17:00', '2026-11-30T12:00', ['2026-11-30']);
  assert.equal(minutes(holiday.leftMs), 60);
  assert.deepEqual(holiday.stopped, { why: 'holiday', untilMs: at('2026-12-01T09:00') });
  assert.deepEqual(holiday.delay, { closed: false, holidays: ['2026-11-30'] });
  assert.equal(clock('2026-11-20T19:00', '2026-11-20T20:59').delay, null, 'decided before the night');
});

test('review time adds up over days and has a direction', () => {
  const between = (from: string, to: string, holidays: string[] = []) =>
    minutes(reviewTimeBetween(at(from), at(to), new Set(holidays)));
  assert.equal(between('2026-11-16T00:00', '2026-11-23T00:00'), (5 * 12 + 2 * 9) * 60, 'a whole week');
  assert.equal(between('2026-11-30T00:00', '2026-12-02T00:00', ['2026-11-30']), 12 * 60);
  assert.equal(between('2026-11-20T12:00', '2026-11-20T11:00'), -60);
  assert.equal(between('2026-11-20T22:00', '2026-11-21T08:00'), 0);
});

test('a table of nothing but holidays does not wait for ever', () => {
  const days = Array.from({ length: 800 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10));
  assert.ok(by('2026-01-01T10:00', days).startsWith('2027-01-02'));
});
