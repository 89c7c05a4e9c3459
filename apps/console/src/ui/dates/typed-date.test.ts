import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intlTag, makeFormats } from '../../lib/format/make-formats.ts';
import locales from '../../lib/i18n/locales.json' with { type: 'json' };
import { addMonths, weekStartOf, weeksOf } from './calendar.ts';
import { readDay, readTime, timeText } from './typed-date.ts';

const today = '2026-11-22';

test('a day typed as any language writes it is understood, in each month', () => {
  const wrong: string[] = [];
  for (const { locale } of locales) {
    const { date } = makeFormats(locale, 'UTC');
    const tag = intlTag(locale);
    const long = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' });
    const inNumbers = new Intl.DateTimeFormat(tag, {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      timeZone: 'UTC',
    });
    for (let month = 0; month < 12; month++) {
      const day = addMonths('2025-01-07', month);
      const texts = [date(`${day}T12:00:00Z`, 'date'), inNumbers.format(Date.parse(`${day}T12:00:00Z`)), day];
      if (!locale.startsWith('ku')) texts.push(long.format(Date.parse(`${day}T12:00:00Z`)));
      for (const text of texts) if (readDay(text, tag, today) !== day) wrong.push(`${locale} ${text}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('a day is read from numbers, without a year as the last one, and what is none is refused', () => {
  const [english, german, arabic] = [intlTag('en-US'), intlTag('de-DE'), intlTag('ar-EG')];
  assert.equal(readDay('20261026', english, today), '2026-10-26');
  assert.equal(readDay('10/26', english, today), '2026-10-26');
  assert.equal(readDay('26.10.', german, today), '2026-10-26');
  assert.equal(readDay('dec 24', english, today), '2025-12-24');
  assert.equal(readDay('٢٠٢٦/١٠/٢٦', arabic, today), '2026-10-26');
  for (const none of ['', 'tomorrow', 'Feb 30, 2026', '26/10/2026', '2026', '1 2 3 2026', '10/26/26', '0000-01-01'])
    assert.equal(readDay(none, english, today), null, none);
});

test('a time of 24 hours is read with and without a colon, up to the end of the day', () => {
  const read = (typed: string) => {
    const minutes = readTime(typed);
    return minutes === null ? null : timeText(minutes);
  };
  for (const [typed, time] of [
    ['9', '09:00'],
    ['930', '09:30'],
    ['18.30', '18:30'],
    ['0000', '00:00'],
    ['24:00', '24:00'],
    ['١٨:٣٠', '18:30'],
  ] as const)
    assert.equal(read(typed), time, typed);
  for (const none of ['', '24:01', '25', '12:60', '9 pm', '12345']) assert.equal(read(none), null, none);
});

test('a month has its days, and a week begins as in the region', () => {
  const weeks = weeksOf('2026-11-01', 0);
  assert.deepEqual(
    [weeks.length, weeks[0]?.[0], weeks.at(-1)],
    [5, '2026-11-01', ['2026-11-29', '2026-11-30', null, null, null, null, null]],
  );
  assert.equal(weeksOf('2024-02-01', 1).flat().filter(Boolean).length, 29);
  assert.equal(addMonths('2026-01-31', 1), '2026-02-28');
  // Node has the data that browsers may not have.
  type WithWeek = Intl.Locale & { getWeekInfo(): { firstDay: number } };
  for (const { locale } of locales)
    assert.equal(weekStartOf(locale), (new Intl.Locale(locale) as WithWeek).getWeekInfo().firstDay % 7, locale);
});
