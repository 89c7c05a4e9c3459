import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimeUnit } from '@pahatid/contract';
import { makeFormats } from '../../lib/format/make-formats.ts';
import { spanText, stepText } from './statistics-text.ts';

const zone = 'Asia/Manila';
const formats = makeFormats('en-US', zone);
const year = Number(formats.date(Date.now(), 'date').slice(-4));
/** Midnight in Manila. */
const day = (ofYear: number, monthDay: string) => new Date(`${ofYear}-${monthDay}T00:00:00+08:00`).toISOString();
const byHand = { preset: null, unit: TimeUnit.Day };

test('a range of whole days shows its first and last day, a single day only itself', () => {
  const week = { from: day(year, '11-01'), to: day(year, '11-08') };
  assert.equal(spanText(week, byHand, formats), 'Nov 1 – Nov 7');
  assert.equal(spanText({ from: day(year, '02-28'), to: day(year, '03-01') }, byHand, formats), 'Feb 28');
  const toNow = { from: day(year, '11-09'), to: new Date(`${year}-11-22T15:30:12+08:00`).toISOString() };
  assert.equal(spanText(toNow, { preset: 'last14Days', unit: TimeUnit.Day }, formats), 'Nov 9 – Nov 22');
});

test('a range that begins or ends within a day is shown to the minute, as is one by minutes', () => {
  const range = { from: day(year, '11-01'), to: new Date(`${year}-11-02T10:30:00+08:00`).toISOString() };
  assert.equal(spanText(range, byHand, formats), 'Nov 1, 00:00 – Nov 2, 10:30');
  const minutes = { from: day(year, '11-01'), to: day(year, '11-02') };
  assert.equal(spanText(minutes, { ...byHand, unit: TimeUnit.Minute }, formats), 'Nov 1, 00:00 – Nov 2, 00:00');
});

test('ranges and steps outside the current year show the year', () => {
  const range = { from: day(year - 1, '11-20'), to: day(year, '11-23') };
  assert.equal(spanText(range, byHand, formats), `Nov 20, ${year - 1} – Nov 22, ${year}`);
  const title = (ofYear: number) => stepText(day(ofYear, '11-20'), TimeUnit.Day, formats, 'en-US').title;
  assert.notEqual(title(year), title(year - 1));
  assert.equal(title(year - 1), `Nov 20, ${year - 1}`);
  assert.ok(stepText(day(year - 1, '11-20'), TimeUnit.Minute, formats, 'en-US').title.includes(String(year - 1)));
});
