import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateEnd, outlookOfQuietHours, roundDuration } from './forecast.ts';

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
  assert.deepEqual(outlookOfQuietHours(night, 10, 10), { kind: 'held', resumeAt: morning });
  assert.deepEqual(outlookOfQuietHours(evening, 1_000, 10), {
    kind: 'paused',
    pauseAt: Date.parse('2026-11-20T13:00:00Z'),
    resumeAt: morning,
    left: 400,
  });
  assert.deepEqual(outlookOfQuietHours(evening, 600, 10), { kind: 'free' });
  assert.deepEqual(outlookOfQuietHours(evening, 1_000_000, null), { kind: 'free' });
});
