import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bandsOf, judgeHours, nextAt } from './judge-hours.ts';

const none = { answeredCount: 0, deliveredCount: 0, linkedCount: 0, openedCount: 0 };
const day = (hours: Record<number, Partial<typeof none>>) =>
  Array.from({ length: 24 }, (_, hour) => ({ hour, ...none, ...hours[hour] }));
const never = (): boolean => false;

test('opened links are shown if there are enough, otherwise deliveries, otherwise nothing is said', () => {
  const receipts = { answeredCount: 2_000, deliveredCount: 1_900 };
  const links = { linkedCount: 2_000, openedCount: 40 };
  assert.deepEqual(judgeHours(day({ 9: receipts, 10: links }), null, never).measures, ['opened', 'delivered']);
  assert.equal(judgeHours(day({ 9: receipts, 10: links }), 'delivered', never).measure, 'delivered');
  assert.deepEqual(judgeHours(day({ 9: receipts }), null, never).measures, ['delivered']);
  assert.deepEqual(judgeHours(day({ 9: { answeredCount: 999 } }), null, never).measures, []);
});

test('an hour in which the task would wait is never the better one', () => {
  const hours = day({
    9: { linkedCount: 5_000, openedCount: 100 },
    12: { linkedCount: 5_000, openedCount: 200 },
    22: { linkedCount: 5_000, openedCount: 600 },
  });
  assert.equal(judgeHours(hours, null, never).best?.hour, 22);
  assert.equal(judgeHours(hours, null, (hour) => hour >= 21).best?.hour, 12);
});

test('quiet hours over midnight are two stretches', () => {
  assert.deepEqual(
    bandsOf((hour) => hour >= 21 || hour < 7),
    [
      { from: 0, to: 7 },
      { from: 21, to: 24 },
    ],
  );
  assert.deepEqual(bandsOf(never), []);
});

test('the hour of the chosen day, or the next one ahead', () => {
  const now = Date.parse('2026-03-10T10:30:00+08:00');
  const at = (hour: number, planTime: string | null) => nextAt(hour, planTime, 'Asia/Manila', now);
  assert.equal(Date.parse(at(18, null)), Date.parse('2026-03-10T18:00:00+08:00'));
  assert.equal(Date.parse(at(9, null)), Date.parse('2026-03-11T09:00:00+08:00'));
  assert.equal(Date.parse(at(9, '2026-03-20T22:00:00+08:00')), Date.parse('2026-03-20T09:00:00+08:00'));
  assert.equal(Date.parse(at(9, '2026-03-10T22:00:00+08:00')), Date.parse('2026-03-11T09:00:00+08:00'));
});
