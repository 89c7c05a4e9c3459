import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFormats } from './make-formats.ts';

const at = '2026-11-20T06:32:07.412Z';

test('every locale shows Gregorian years and Latin digits', () => {
  for (const locale of ['ar-EG', 'fa-IR', 'th-TH', 'ne-NP', 'bn-BD', 'en-US', 'zh-CN']) {
    const shown = makeFormats(locale, 'Asia/Manila').date(at, 'dateTime');
    assert.match(shown, /2026/, `${locale}: ${shown}`);
    assert.match(shown, /14:32:07/, `${locale}: ${shown}`);
  }
});

test('Sorani Kurdish, which Intl does not support, has numeric dates and its own relative times', () => {
  const { date, number, relative } = makeFormats('ku-IQ', 'Asia/Manila');
  assert.equal(date(at, 'date'), '20/11/2026');
  assert.equal(date(at, 'day'), '20/11');
  assert.equal(date(at, 'minute'), '14:32');
  assert.equal(number(1_234.5), '1,234.5');
  assert.equal(relative(Date.parse(at) - 3 * 60_000, Date.parse(at)), 'پێش 3 خولەک');
  assert.equal(relative(Date.parse(at) + 2 * 86_400_000, Date.parse(at)), 'دوای 2 ڕۆژ');
});

test('a length of time is given in days, hours and minutes, without those that are none', () => {
  const length = (17 * 24 + 9) * 3_600_000 + 30 * 60_000;
  assert.equal(makeFormats('en-US', 'UTC').duration(length), '17 days 9 hr 30 min');
  assert.equal(makeFormats('en-US', 'UTC').duration(86_400_000), '1 day');
  assert.equal(makeFormats('ku-IQ', 'UTC').duration(86_400_000), '1 ڕۆژ');
});

test('a name and its value are joined with the colon of the language', () => {
  assert.equal(makeFormats('zh-CN', 'Asia/Manila').pair('状态', '已送达'), '状态：已送达');
  assert.equal(makeFormats('fr-FR', 'Asia/Manila').pair('État', 'remis'), 'État\u00a0: remis');
  assert.equal(makeFormats('en-US', 'Asia/Manila').pair('State', 'delivered'), 'State: delivered');
  assert.equal(makeFormats('ar-EG', 'Asia/Manila').pair('قالب SMS', 'Pick-up'), 'قالب SMS: \u2068Pick-up\u2069');
});

test('an hour of the day is a localized clock time, without a suffix', () => {
  const clocks = ['en-US', 'zh-CN', 'da-DK', 'fi-FI', 'bg-BG', 'ar-EG', 'fa-IR', 'ku-IQ'].map((locale) => {
    const { clockHour } = makeFormats(locale, 'America/New_York');
    return `${clockHour(0)} ${clockHour(7)} ${clockHour(21)}`;
  });
  const [colon, point] = ['00:00 07:00 21:00', '00.00 07.00 21.00'];
  assert.deepEqual(clocks, [colon, colon, point, point, colon, colon, colon, colon]);
});

test('midnight is 00:00, never 24:00', () => {
  assert.equal(makeFormats('en-US', 'Asia/Manila').date('2026-11-20T16:00:00Z', 'minute'), '00:00');
});

test('money comes from ten-thousandths of a peso without losing any', () => {
  const { money } = makeFormats('en-US', 'Asia/Manila');
  assert.equal(money(1_842_605_000), '₱184,260.50');
  assert.equal(money(3_500), '₱0.35');
  assert.equal(money(3_525), '₱0.3525');
  assert.equal(money(-12_000), '−₱1.20');
  assert.equal(money(0), '₱0.00');
});

test('the zone is named by its offset at that moment', () => {
  const summer = new Date('2026-07-01T00:00:00Z');
  assert.equal(makeFormats('en-US', 'America/New_York').zoneOffset(summer), 'UTC-4');
  assert.equal(makeFormats('zh-CN', 'Asia/Manila').zoneOffset(), 'UTC+8');
});

test('relative times use the largest whole unit', () => {
  const { relative } = makeFormats('en-US', 'Asia/Manila');
  const now = Date.parse(at);
  assert.equal(relative(now - 3 * 60_000, now), '3 minutes ago');
  assert.equal(relative(now + 18 * 3_600_000, now), 'in 18 hours');
});

test('Chinese sets numbers apart from its characters, and from nothing else', () => {
  const { date, relative } = makeFormats('zh-CN', 'Asia/Manila');
  assert.equal(date(at, 'day'), '11\u00a0月\u00a020\u00a0日 星期五');
  assert.equal(date(at, 'short'), '11\u00a0月\u00a020\u00a0日 14:32');
  const now = Date.parse(at);
  assert.equal(relative(now - 3 * 60_000, now), '3\u00a0分钟前');
  assert.equal(relative(now - 86_400_000, now), '昨天');
  assert.equal(makeFormats('ja-JP', 'Asia/Manila').date(at, 'monthDay'), '11月20日');
});

test('Chinese sets a number apart from its unit', () => {
  const { bytes, number } = makeFormats('zh-CN', 'Asia/Manila');
  assert.equal(bytes(981), '981\u00a0字节');
  assert.equal(number(17.15, { style: 'unit', unit: 'second', unitDisplay: 'narrow' }), '17.15\u00a0秒');
  assert.equal(number(20_000, { notation: 'compact' }), '2万');
});
