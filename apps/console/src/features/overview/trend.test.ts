import assert from 'node:assert/strict';
import { test } from 'node:test';
import { legalQuietHours } from '@pahatid/domain';
import { busiestSlot, completeTrend, placeStarts, quietStretches } from './trend.ts';

const zone = 'Asia/Manila';
const slot = (time: string, messages = 0) => ({ time, delivered: messages, awaiting: 0, failed: 0, messages });
/** Hours of 20 November in Manila, from midnight on. */
const hours = (count: number) =>
  Array.from({ length: count }, (_, hour) => slot(new Date(Date.UTC(2026, 10, 19, 16 + hour)).toISOString(), hour));

test('today always has its 24 hours, those to come marked', () => {
  const slots = completeTrend(hours(15), 'today', zone);
  assert.equal(slots.length, 24);
  assert.deepEqual(
    slots.map(({ ahead }) => ahead),
    Array.from({ length: 24 }, (_, hour) => hour >= 15),
  );
  assert.equal(slots.at(-1)?.end, '2026-11-20T16:00:00.000Z');
  assert.equal(completeTrend(hours(24), 'today', zone).length, 24);
});

test('a month reaches to its last day, also in December and in February', () => {
  const from = (day: string) => completeTrend([slot(day)], 'month', zone);
  assert.equal(from('2026-10-31T16:00:00.000Z').length, 30);
  assert.equal(from('2026-11-30T16:00:00.000Z').length, 31);
  assert.equal(from('2028-01-31T16:00:00.000Z').length, 29);
});

test('seven days end with today', () => {
  const days = Array.from({ length: 7 }, (_, day) => slot(new Date(Date.UTC(2026, 10, 13 + day, 16)).toISOString()));
  assert.equal(completeTrend(days, '7days', zone).length, 7);
});

test('days keep their beginnings across a change of clocks', () => {
  const slots = completeTrend([slot('2026-03-01T05:00:00.000Z')], 'month', 'America/New_York');
  assert.equal(slots.length, 31);
  assert.equal(slots.at(-1)?.time, '2026-03-31T04:00:00.000Z');
});

test('marketing rests until seven and from nine in Manila, wherever the reader is', () => {
  assert.deepEqual(quietStretches(completeTrend(hours(1), 'today', zone), legalQuietHours), [
    { from: 0, to: 7 },
    { from: 21, to: 24 },
  ]);
  const inKolkata = completeTrend([slot('2026-11-19T18:30:00.000Z')], 'today', 'Asia/Kolkata');
  assert.deepEqual(quietStretches(inKolkata, legalQuietHours), [
    { from: 0, to: 4.5 },
    { from: 18.5, to: 24 },
  ]);
});

test('a longer night of the customer’s own is shown, and none where it is exempt', () => {
  const slots = completeTrend(hours(1), 'today', zone);
  assert.deepEqual(quietStretches(slots, { from: 19, to: 8 }), [
    { from: 0, to: 8 },
    { from: 19, to: 24 },
  ]);
  assert.deepEqual(quietStretches(slots, null), []);
});

test('the busiest hour is named only when something was sent', () => {
  assert.equal(busiestSlot(completeTrend(hours(1), 'today', zone)), null);
  assert.equal(busiestSlot(completeTrend(hours(9), 'today', zone))?.messages, 8);
  assert.deepEqual(completeTrend([], 'today', zone), []);
});

test('a task start is placed within its hour; one outside of the chart is not', () => {
  const slots = [
    { time: '2026-11-29T00:00:00Z', end: '2026-11-29T01:00:00Z' },
    { time: '2026-11-29T01:00:00Z', end: '2026-11-29T02:00:00Z' },
  ];
  const at = (taskId: string, time: string) => ({ taskId, taskName: `Task ${taskId}`, time });
  const starts = [at('a', '2026-11-29T00:30:00Z'), at('b', '2026-11-29T01:00:00Z'), at('c', '2026-11-29T02:00:00Z')];
  assert.deepEqual(placeStarts(starts, slots), [
    { key: 'a', at: 0.5, name: 'Task a' },
    { key: 'b', at: 1, name: 'Task b' },
  ]);
});
