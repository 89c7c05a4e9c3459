import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SmsType } from '@pahatid/contract';
import { legalQuietHours } from '@pahatid/domain';
import { chooseQuietHours, forecastEnd, forecastTaskEnd, outlookOfQuietHours, roundDuration } from './forecast.ts';

const legal = legalQuietHours;

test('the end of a task is known only while something moves', () => {
  const task = { smsType: SmsType.Notification, quietHours: legal };
  assert.deepEqual(forecastTaskEnd(task, 1_000, 100, 0, 'UTC'), { at: 10_000, style: 'minute' });
  assert.equal(forecastTaskEnd(task, 1_000, 0, 0, 'UTC'), null);
  assert.equal(forecastTaskEnd(task, 0, 100, 0, 'UTC'), null);
});

test('the end of a marketing task moves to the next morning if the evening is too short, and shows the day', () => {
  // 20:55 in Manila, half an hour left.
  const evening = Date.parse('2026-11-20T12:55:00Z');
  const morning = Date.parse('2026-11-20T23:00:00Z');
  const end = (smsType: SmsType, quietHours: typeof legal | null, zone = 'Asia/Manila') =>
    forecastTaskEnd({ smsType, quietHours }, 18_000, 10, evening, zone);
  const halfHour = 30 * 60_000;
  assert.deepEqual(end(SmsType.Marketing, legal), { at: morning + halfHour - 5 * 60_000, style: 'short' });
  // A night of its customer's own has begun at eight, and ends at nine.
  const longer = { at: morning + 2 * 3_600_000 + halfHour, style: 'short' };
  assert.deepEqual(end(SmsType.Marketing, { from: 20, to: 9 }), longer);
  assert.deepEqual(end(SmsType.Marketing, null), { at: evening + halfHour, style: 'minute' });
  assert.deepEqual(end(SmsType.Notification, legal), { at: evening + halfHour, style: 'minute' });
  // 07:55 and 18:25 in New York; 01:55 and 02:25 in Auckland.
  assert.equal(end(SmsType.Marketing, legal, 'America/New_York')?.style, 'minute');
  assert.equal(end(SmsType.Marketing, null, 'Pacific/Auckland')?.style, 'minute');
});

test('until an estimate has come a task waits in the hours of its customer, and in the law’s until these have', () => {
  const own = { from: 19, to: 9, isExempt: false };
  const { Marketing, Notification } = SmsType;
  assert.deepEqual(chooseQuietHours(Marketing, { quietHours: { from: 20, to: 8 } }, own), { from: 20, to: 8 });
  assert.equal(chooseQuietHours(Marketing, { quietHours: null }, own), null);
  assert.equal(chooseQuietHours(Marketing, undefined, own)?.to, 9);
  assert.equal(chooseQuietHours(Marketing, undefined, { ...own, isExempt: true }), null);
  assert.deepEqual(chooseQuietHours(Marketing, undefined, undefined), legal);
  assert.equal(chooseQuietHours(Notification, undefined, own), null);
});

test('durations are shown in one unit and never as zero', () => {
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
  // 14 hours of 10 a second are 504,000: the rest is sent the day after.
  assert.equal(forecastEnd(evening, 600 + 504_000 + 10, 10, legal), morning + 24 * 3_600_000 + 1_000);
  assert.equal(forecastEnd(evening, 1_000, 10, { from: 20, to: 9 }), morning + 2 * 3_600_000 + 100_000);
  assert.equal(forecastEnd(evening, 1_000, null, legal), null);
  assert.equal(forecastEnd(evening, 0, 10, legal), null);
  assert.equal(forecastEnd(evening, 1_000_000_000, 1, legal), null, 'months');
});
