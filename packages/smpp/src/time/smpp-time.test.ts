import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAbsoluteTime, formatRelativeTime, parseSmppTime, resolveSmppTime } from './smpp-time.ts';

test('K12: an absolute time has tenths and an offset in quarter-hours, and is kept as given', () => {
  const time = parseSmppTime('261121083015732+');
  assert.ok(time?.kind === 'absolute');
  assert.equal(time.at.toISOString(), '2026-11-21T00:30:15.700Z');
  assert.equal(time.given, '261121083015732+');
  const west = parseSmppTime('261121083015020-');
  assert.equal(west?.kind === 'absolute' && west.at.toISOString(), '2026-11-21T13:30:15.000Z');
});

test('K12: a relative time counts from now, by the calendar', () => {
  const time = parseSmppTime('000102030405000R');
  assert.ok(time?.kind === 'relative');
  assert.deepEqual([time.months, time.days, time.hours, time.minutes, time.seconds], [1, 2, 3, 4, 5]);
  assert.equal(resolveSmppTime(time, new Date('2026-11-21T00:00:00Z')).toISOString(), '2026-12-23T03:04:05.000Z');
});

test('K12: what is no time is none', () => {
  for (const given of [
    '',
    '2611210830157',
    '261321083015732+',
    '260231083015732+',
    '261121243015732+',
    '261121083015749+',
  ]) {
    assert.equal(parseSmppTime(given), undefined, given);
  }
});

test('K12: times written are read back', () => {
  const at = new Date('2026-11-21T00:30:15.700Z');
  assert.equal(formatAbsoluteTime(at, 480), '261121083015732+');
  assert.equal(formatAbsoluteTime(at, -300), '261120193015720-');
  const back = parseSmppTime(formatAbsoluteTime(at, -300));
  assert.equal(back?.kind === 'absolute' && back.at.getTime(), at.getTime());
  assert.equal(formatRelativeTime(86_400), '000001000000000R');
  assert.equal(formatRelativeTime(3 * 86_400 + 3_661), '000003010101000R');
});
