import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locales } from '../i18n/locales.ts';
import { makeFormats } from './make-formats.ts';
import { makeTypedNumbers } from './typed-numbers.ts';

const money = (locale: string, text: string) => makeTypedNumbers(locale).money(text);

test('an amount is read as the language writes it', () => {
  for (const [locale, text, amount] of [
    ['en-US', '1,234.5', 12_345_000],
    ['de-DE', '1.234,5', 12_345_000],
    ['de-DE', '0,35', 3_500],
    ['de-DE', '1.234', 12_340_000],
    ['es-ES', '1234,50', 12_345_000],
    ['fr-FR', '1 234,5', 12_345_000],
    ['fr-FR', '1\u202f234,5', 12_345_000],
    ['pl-PL', '12\u00a0345,6789', 123_456_789],
    ['de-CH', '1’234.5', 12_345_000],
    ['de-CH', "1'234.5", 12_345_000],
    ['hi-IN', '12,34,567.5', 12_345_675_000],
    ['sv-SE', '\u22121,5', -15_000],
    ['id-ID', '₱1.000.000', 10_000_000_000],
  ] as const)
    assert.equal(money(locale, text), amount, `${locale} ${text}`);
});

test('Arabic, Persian and other digits are digits, their own signs included', () => {
  for (const [locale, text] of [
    ['ar-EG', '١٬٢٣٤٫٥'],
    ['fa-IR', '۱٬۲۳۴٫۵'],
    ['fa-IR', '\u200e۱۲۳۴٫۵'],
    ['de-DE', '١٬٢٣٤٫٥'],
    ['hi-IN', '१,२३४.५'],
    ['bn-BD', '১,২৩৪.৫'],
    ['th-TH', '๑,๒๓๔.๕'],
    ['zh-CN', '１２３４.５'],
  ] as const)
    assert.equal(money(locale, text), 12_345_000, `${locale} ${text}`);
});

test('a decimal point is accepted everywhere, except where the language groups digits', () => {
  for (const locale of ['en-US', 'de-DE', 'fr-FR', 'es-ES', 'fa-IR']) {
    assert.equal(money(locale, '0.35'), 3_500, locale);
    assert.equal(money(locale, '0.350'), 3_500, locale);
    assert.equal(money(locale, '12.5'), 125_000, locale);
    assert.equal(money(locale, '1,234.5678'), 12_345_678, locale);
  }
  assert.equal(money('fr-FR', '1.234'), 12_340);
});

test('what is no amount of the language is none', () => {
  for (const [locale, text] of [
    ['en-US', '1,23'],
    ['en-US', '1.234,5'],
    ['en-US', '1.2.3'],
    ['de-DE', '1.23.456'],
    ['de-DE', '1,2,3'],
    ['de-DE', '1,23456'],
    ['fr-FR', '1 23'],
    ['de-DE', '1e3'],
    ['de-DE', '--1'],
    ['de-DE', ''],
    ['fa-IR', 'پنج'],
  ] as const)
    assert.equal(money(locale, text), null, `${locale} ${text}`);
});

test('in every language of ours an amount is read back from how it is shown, and from how a field is filled', () => {
  for (const { locale: id } of locales) {
    const formats = makeFormats(id, 'Asia/Manila');
    const typed = makeTypedNumbers(id);
    for (const amount of [0, 3_500, 3_512, 12_340_000, 12_345_678, 98_765_432_100, -20_000]) {
      assert.equal(typed.money(formats.money(amount)), amount, `${id} ${formats.money(amount)}`);
      assert.equal(typed.money(typed.writeMoney(amount)), amount, id);
      assert.equal(typed.money(typed.write(amount / 10_000)), amount, id);
      const native = new Intl.NumberFormat(id, { maximumFractionDigits: 4 }).format(amount / 10_000);
      assert.equal(typed.money(native), amount, `${id} ${native}`);
    }
  }
});
