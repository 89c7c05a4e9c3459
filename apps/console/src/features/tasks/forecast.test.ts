import assert from 'node:assert/strict';
import { test } from 'node:test';
import { legalQuietHours } from '@pahatid/domain';
import { estimateEnd, forecastEnd, outlookOfQuietHours, roundDuration } from './forecast.ts';

const legal = legalQuietHours;

test('the end is known only while something moves', () => {
  assert.equal(estimateEnd(1_000, 100, 0), 10_000);
  assert.equal(estimateEnd(1_000, 0, 0), null);
  assert.equal(estimateEnd(0, 100, 0), null);
});

test('durations are told in one unit and never as nothing', () => {
  assert.deepEqual(roundDuration(0.1), { unit: 'second', count: 1 });
  assert.deepEqual(roundDuration(59), { unit: 'minute', count: 1 });
  assert.deepEqual(roundDuration(420), { unit: 'minute', count: 7 });
  assert.deepEqual(roundDuration(3_400), { unit: 'hour', count: 1 });
});

test('a marketing task is held at night and stops in the evening with the rest left', () => {
  // 22:30 and 20:59 in Manila.
  const night = Date.parse('2026-11-20T14:30:00Z');
  const evening = Date.parse('2026-11-20T12:59:00Z');
  const morning = Date.parse('2026-11-20T23:00:00Z');
  assert.deepEqual(outlookOfQuietHours(night, 10, 10, legal), { kind: 'held', resumeAt: morning, left: 10 });
  assert.deepEqual(outlookOfQuietHours(evening, 1_000, 10, legal), {
    kind: 'paused',
    pauseAt: Date.parse('2026-11-20T13:00:00Z'),
    resumeAt: morning,
    left: 400,
  });
  assert.deepEqual(outlookOfQuietHours(evening, 600, 10, legal), { kind: 'free' });
  assert.deepEqual(outlookOfQuietHours(evening, 1_000_000, null, legal), { kind: 'free' });
  // A longer window of the customer's own: until eight.
  const longer = { from: 19, to: 8 };
  assert.deepEqual(outlookOfQuietHours(evening, 10, 10, longer), {
    kind: 'held',
    resumeAt: morning + 3_600_000,
    left: 10,
  });
});

test('the end of a task counts the nights in which marketing waits', () => {
  const evening = Date.parse('2026-11-20T12:59:00Z');
  const morning = Date.parse('2026-11-20T23:00:00Z');
  assert.equal(forecastEnd(evening, 1_000, 10, null), evening + 100_000);
  assert.equal(forecastEnd(evening, 1_000, 10, legal), morning + 40_000);
  // 14 hours of 10 a second are 504,000: what is left after them goes the day after.
  assert.equal(forecastEnd(evening, 600 + 504_000 + 10, 10, legal), morning + 24 * 3_600_000 + 1_000);
  assert.equal(forecastEnd(evening, 1_000, 10, { from: 20, to: 9 }), morning + 2 * 3_600_000 + 100_000);
  assert.equal(forecastEnd(evening, 1_000, null, legal), null);
  assert.equal(forecastEnd(evening, 0, 10, legal), null);
  assert.equal(forecastEnd(evening, 1_000_000_000, 1, legal), null, 'months');
});
