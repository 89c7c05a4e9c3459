import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  forecastQuietHours,
  isQuiet,
  isQuietWindow,
  legalQuietHours,
  manilaHour,
  quietHoursEnd,
} from './quiet-hours.ts';

const manila = (text: string): number => Date.parse(`${text}+08:00`);

test('quiet from 21:00:00.000 to 06:59:59.999 in Manila', () => {
  assert.equal(isQuiet(manila('2026-11-21T20:59:59.999')), false);
  assert.equal(isQuiet(manila('2026-11-21T21:00:00.000')), true);
  assert.equal(isQuiet(manila('2026-11-22T06:59:59.999')), true);
  assert.equal(isQuiet(manila('2026-11-22T07:00:00.000')), false);
});

test('the night ends at seven, of the same or of the next day', () => {
  assert.equal(quietHoursEnd(manila('2026-11-21T23:30:00')), manila('2026-11-22T07:00:00'));
  assert.equal(quietHoursEnd(manila('2026-11-22T03:30:00')), manila('2026-11-22T07:00:00'));
  assert.equal(quietHoursEnd(manila('2026-11-22T12:00:00')), manila('2026-11-22T12:00:00'));
  assert.equal(quietHoursEnd(manila('2026-11-21T20:00:00'), { from: 19, to: 9 }), manila('2026-11-22T09:00:00'));
});

test('a task that reaches into the night shows when it pauses, resumes and how many are left', () => {
  const start = manila('2026-11-21T20:59:00');
  assert.deepEqual(forecastQuietHours(start, 1000, 10), {
    pauseAt: manila('2026-11-21T21:00:00'),
    resumeAt: manila('2026-11-22T07:00:00'),
    left: 400,
  });
  assert.equal(forecastQuietHours(start, 600, 10).pauseAt, null);
  assert.equal(forecastQuietHours(manila('2026-11-22T01:00:00'), 5, 10).left, 5);
});

test('a customer’s window is the legal one or a longer one, with an hour of the day left', () => {
  assert.ok(isQuietWindow(legalQuietHours));
  for (const [from, to] of [
    [20, 7],
    [21, 9],
    [8, 7],
    [21, 20],
  ] as const)
    assert.ok(isQuietWindow({ from, to }), `${from} to ${to}`);
  for (const [from, to] of [
    [22, 7],
    [21, 6],
    [12, 12],
    [9, 12],
  ] as const)
    assert.ok(!isQuietWindow({ from, to }), `${from} to ${to}`);
});

test('the hour of the Manila day', () => {
  assert.equal(manilaHour(manila('2026-11-21T00:00:00')), 0);
  assert.equal(manilaHour(manila('2026-11-21T20:59:59.999')), 20);
  assert.equal(manilaHour(manila('2026-11-21T23:59:59')), 23);
});
