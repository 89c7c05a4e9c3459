import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysBefore, spanOf } from './click-question.ts';

const times = ['2026-11-01T16:00:00.000Z', '2026-11-02T16:00:00.000Z', '2026-11-03T16:00:00.000Z'];
const to = '2026-11-04T05:00:00.000Z';

test('the days before are as many; minutes and months have none', () => {
  assert.deepEqual(daysBefore({ unit: 1, times }), { from: '2026-10-29T16:00:00.000Z', to: times[0], unit: '1' });
  assert.equal(daysBefore({ unit: 0, times }), null);
  assert.equal(daysBefore({ unit: 2, times }), null);
  assert.equal(daysBefore({ unit: 1, times: [] }), null);
});

test('bars that are dragged over are the span; the last ends with the figures, and one day is seen by the minute', () => {
  assert.deepEqual(spanOf({ unit: 1, times, to }, 0, 1), { from: times[0], to: times[2] });
  assert.deepEqual(spanOf({ unit: 1, times, to }, 1, 2), { from: times[1], to });
  assert.deepEqual(spanOf({ unit: 1, times, to }, 1, 1), { from: times[1], to: times[2], unit: '0' });
});
