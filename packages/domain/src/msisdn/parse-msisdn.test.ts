import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { MsisdnRefusal } from './msisdn-result.ts';
import { parseByNumberingPlan } from './numbering-plan.ts';
import { cleanNumber, parseMsisdn } from './parse-msisdn.ts';

const ACCEPTED: Array<[raw: string, msisdn: string, country?: string]> = [
  ['09171234567', '639171234567'],
  ['9171234567', '639171234567'],
  ['639171234567', '639171234567'],
  ['+639171234567', '639171234567'],
  ['00639171234567', '639171234567'],
  ['+63 (917) 123-4567', '639171234567'],
  ['(+63) 917 123 4567', '639171234567'],
  ['+63 (0) 917 123 4567', '639171234567'],
  ['+6309171234567', '639171234567'],
  ['0917.123.4567', '639171234567'],
  ['0917/123/4567', '639171234567'],
  ['0917\u00a0123\u00a04567', '639171234567'],
  ['0917–123–4567', '639171234567'],
  ['０９１７１２３４５６７', '639171234567'],
  ['٠٩١٧١٢٣٤٥٦٧', '639171234567'],
  ['\u202a+63 917 123 4567\u202c', '639171234567'],
  ["'09171234567", '639171234567'],
  ['9171234567.0', '639171234567'],
  ['9171234567.00', '639171234567'],
  ['9.171.234.567', '639171234567'],
  ['0917.1234567', '639171234567'],
  [' 09171234567\t', '639171234567'],
  ['08131234567', '638131234567'],
  ['0895 123 4567', '638951234567'],
  ['0991 123 4567', '639911234567'],
  ['+14155552671', '14155552671', 'US'],
  ['0014155552671', '14155552671', 'US'],
  ['+65 8123 4567', '6581234567', 'SG'],
  ['+86 138 0013 8000', '8613800138000', 'CN'],
  ['+852 5123 4567', '85251234567', 'HK'],
];
for (const [raw, msisdn, country = 'PH'] of ACCEPTED) {
  test(`reads ${JSON.stringify(raw)}`, () => {
    const result = parseMsisdn(raw);
    assert.ok(result.ok, JSON.stringify(result));
    assert.deepEqual([result.msisdn, result.country], [msisdn, country]);
  });
}

const REFUSED: Array<[raw: string, reason: MsisdnRefusal]> = [
  ['', 'EMPTY'],
  [' \u00a0', 'EMPTY'],
  ['="09171234567"', 'FORMULA'],
  ['=A1', 'FORMULA'],
  ['9.17123E+09', 'DAMAGED'],
  ['9,17123E+09', 'DAMAGED'],
  ['6.39171E+11', 'DAMAGED'],
  ['9.17e9', 'DAMAGED'],
  ['9E+9', 'DAMAGED'],
  ['Juan', 'NOT_A_NUMBER'],
  ['0917CALLNOW', 'NOT_A_NUMBER'],
  ['09171234567, 09181234567', 'NOT_A_NUMBER'],
  ['09171234567 ext 5', 'NOT_A_NUMBER'],
  ['#N/A', 'NOT_A_NUMBER'],
  ['-', 'NOT_A_NUMBER'],
  ['++639171234567', 'NOT_A_NUMBER'],
  ['63+9171234567', 'NOT_A_NUMBER'],
  ['1'.repeat(1_000), 'NOT_A_NUMBER'],
  ['0.9171234567', 'NOT_A_NUMBER'],
  ['9.171234567', 'NOT_A_NUMBER'],
  ['917123456.7', 'NOT_A_NUMBER'],
  ['917123456.0', 'TOO_SHORT'],
  ['0917123456', 'TOO_SHORT'],
  ['917123', 'TOO_SHORT'],
  ['+63 917 123 456', 'TOO_SHORT'],
  ['12', 'TOO_SHORT'],
  ['091712345678', 'TOO_LONG'],
  ['09171234567/09181234567', 'TOO_LONG'],
  ['09131234567', 'INVALID_NUMBER'],
  ['(02) 8123 4567', 'FIXED_LINE'],
  ['+63 2 8123 4567', 'FIXED_LINE'],
  ['032 234 5678', 'FIXED_LINE'],
  ['+44 20 7123 4567', 'FIXED_LINE'],
  ['1 (415) 555-2671', 'NEEDS_PLUS'],
  ['8613800138000', 'NEEDS_PLUS'],
  ['+999 123456789', 'INVALID_NUMBER'],
  ['1800 1234 5678', 'NOT_MOBILE'],
  ['+1 800 555 0199', 'NOT_MOBILE'],
];
for (const [raw, reason] of REFUSED) {
  test(`refuses ${JSON.stringify(raw.slice(0, 30))} as ${reason}`, () => {
    assert.deepEqual(parseMsisdn(raw), { ok: false, reason });
  });
}

const digits = (min: number, max: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max }).map((list) => list.join(''));
const philippine = fc.tuple(
  fc.constantFrom('', '0', '63', '+63', '0063', '+630', '00'),
  fc.constantFrom('9', '8', ''),
  digits(6, 11),
);

/** The same number through the numbering plan alone. */
function parseSlowly(raw: string) {
  const dialled = cleanNumber(raw);
  return typeof dialled === 'string' ? { ok: false, reason: dialled } : parseByNumberingPlan(dialled, 'PH');
}

test('the compiled path agrees with the numbering plan on every range', () => {
  for (let range = 0; range < 1000; range++) {
    for (const tail of ['0000000', '1234567', '9999999']) {
      const raw = `0${String(range).padStart(3, '0')}${tail}`;
      assert.deepEqual(parseMsisdn(raw), parseSlowly(raw), raw);
    }
  }
});

test('the compiled path agrees with the numbering plan for any input', () => {
  fc.assert(
    fc.property(philippine, ([head, first, rest]) => {
      const raw = head + first + rest;
      assert.deepEqual(parseMsisdn(raw), parseSlowly(raw));
    }),
    { numRuns: 5_000 },
  );
});

test('numbers in usual spelling are valid mobiles exactly if the library agrees', () => {
  const separated = fc
    .tuple(philippine, fc.constantFrom('', ' ', '-', '.'), fc.integer({ min: 4, max: 8 }))
    .map(([[head, first, rest], separator, at]) => {
      const text = head + first + rest;
      return text.slice(0, at) + separator + text.slice(at);
    });
  fc.assert(
    fc.property(separated, (raw) => {
      const number = parsePhoneNumberFromString(raw, { defaultCountry: 'PH', extract: false });
      const isMobile =
        number?.isValid() === true && ['MOBILE', 'FIXED_LINE_OR_MOBILE'].includes(number.getType() ?? '');
      const result = parseMsisdn(raw);
      assert.equal(result.ok, isMobile, JSON.stringify({ raw, result }));
      if (result.ok) assert.equal(`+${result.msisdn}`, number?.number);
    }),
    { numRuns: 5_000 },
  );
});

test('no cell value makes it throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (raw) => {
      const result = parseMsisdn(raw);
      if (result.ok) assert.match(result.msisdn, /^[1-9]\d{6,14}$/);
    }),
    { numRuns: 2_000 },
  );
});

test('another default country reads its own numbers', () => {
  assert.deepEqual(parseMsisdn('8123 4567', { defaultCountry: 'SG' }), {
    ok: true,
    msisdn: '6581234567',
    country: 'SG',
    kind: 'mobile',
  });
  assert.deepEqual(parseMsisdn('+639171234567', { defaultCountry: 'SG' }), {
    ok: true,
    msisdn: '639171234567',
    country: 'PH',
    kind: 'mobile',
  });
});
