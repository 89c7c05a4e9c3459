import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkTemplate, hasErrors } from './check-template.ts';
import { applyFixes, type TemplateFindingCode } from './findings.ts';
import { compileLexicon } from './lexicon.ts';
import { TEMPLATE_VECTORS } from './template-vectors.ts';

for (const vector of TEMPLATE_VECTORS) {
  const shown = JSON.stringify(vector.text.length > 60 ? `${vector.text.slice(0, 57)}...` : vector.text);
  test(`${vector.rule} ${vector.found ? 'catches' : 'passes'} ${shown}`, () => {
    const findings = checkTemplate(vector.text, vector.type).filter((finding) => finding.code === vector.rule);
    assert.equal(findings.length > 0, vector.found, JSON.stringify(findings));
    if (vector.at !== undefined) {
      const places = findings.map(({ from, to }) => [from, to]);
      assert.ok(
        places.some((place) => JSON.stringify(place) === JSON.stringify(vector.at)),
        `${JSON.stringify(vector.at)} in ${JSON.stringify(places)}`,
      );
    }
    if (vector.fixed !== undefined) {
      const fix = findings[0]?.fix;
      assert.ok(fix !== undefined, 'has a mend');
      assert.equal(applyFixes(vector.text, [fix]), vector.fixed);
    }
  });
}

test('the vectors hold both ways for every code', () => {
  const codes: TemplateFindingCode[] = [
    'EMPTY',
    'TOO_LONG',
    'SIGNATURE_BRACKET',
    'UNSUPPORTED_SYMBOL',
    'EMOTICON',
    'VARIABLE_SYNTAX',
    'VARIABLE_NOT_CONSECUTIVE',
    'VARIABLES_OUT_OF_ORDER',
    'VARIABLES_ADJACENT',
    'TOO_MANY_VARIABLES',
    'NO_FIXED_TEXT',
    'LINK_HAS_VARIABLE',
    'LINK_PRESENT',
    'LINK_WORD_BEFORE_VARIABLE',
    'DOLLAR_BEFORE_VARIABLE',
    'UNSUBSCRIBE_LINE_MISSING',
    'UNSUBSCRIBE_IN_NON_MARKETING',
    'PROHIBITED',
    'FORCES_UNICODE',
  ];
  for (const code of codes) {
    for (const found of [true, false]) {
      assert.ok(
        TEMPLATE_VECTORS.some((vector) => vector.rule === code && vector.found === found),
        `${code} ${found ? 'caught' : 'passed'}`,
      );
    }
  }
});

const ERRORS: ReadonlyArray<[text: string, isError: boolean]> = [
  ['Hi {2} {1}', false],
  ['Visit shop.com', false],
  ['Pay ₱5', false],
  ['Your bank called', false],
  ['Hi {1}{2}', false],
  ['A loan for you', true],
  ['Hi {3}', true],
];
for (const [text, isError] of ERRORS) {
  test(`${JSON.stringify(text)} ${isError ? 'may not' : 'may'} be submitted`, () => {
    assert.equal(hasErrors(checkTemplate(text, 2)), isError);
  });
}

test('ordinary texts of each type and language are free of findings', () => {
  const texts: Array<[string, 1 | 2 | 3]> = [
    ['Your code is {1}. It expires in {2} minutes. Do not share it with anyone.', 1],
    ['您的验证码为{1}，{2}分钟内有效，请勿泄露给他人。', 1],
    ['Ang iyong code ay {1}. Huwag ibahagi kaninuman.', 1],
    ['Hi {1}, your parcel {2} arrives on {3} between 9:00 and 12:00.', 2],
    ['Kumusta {1}! Padating na ang order mo bukas.', 2],
    ['尊敬的{1}，您的订单{2}已发货，预计{3}送达。', 2],
    ['Mega sale this weekend at all stores, up to 50% off! Reply T to unsubscribe', 3],
    ['周末全场五折，满200减50，欢迎光临！拒收请回复T', 3],
  ];
  for (const [text, type] of texts) assert.deepEqual(checkTemplate(text, type), [], text);
});

test('a code of more than six digits is pointed out for verification only', () => {
  const codes = (type: 1 | 2, value: string) =>
    checkTemplate('Your code is {1}', type, { sampleValues: [value] }).map((finding) => finding.code);
  assert.deepEqual(codes(1, '1234567'), ['OTP_VALUE_TOO_LONG']);
  assert.deepEqual(codes(1, '123456'), []);
  assert.deepEqual(codes(1, '123-456'), []);
  assert.deepEqual(codes(2, '1234567'), []);
});

test('another keyword asks for another line', () => {
  const options = { unsubscribeKeyword: 'STOP' };
  assert.deepEqual(checkTemplate('Sale. Reply STOP to unsubscribe', 3, options), []);
  const [finding] = checkTemplate('Sale. Reply T to unsubscribe', 3, options);
  assert.equal(finding?.code, 'UNSUBSCRIBE_LINE_MISSING');
  assert.deepEqual(finding?.params, { keyword: 'STOP', found: 'T' });
  assert.equal(finding?.fix?.insert, 'STOP');
});

test('where the sender ID cannot be answered the line names the number, and keeps the rule', () => {
  for (const text of ['Sale this weekend', '周末促销']) {
    const [finding] = checkTemplate(text, 3, { optOutNumber: '2910' });
    const fixed = `${text}${finding?.fix?.insert}`;
    assert.match(fixed, /2910/);
    assert.deepEqual(
      checkTemplate(fixed, 3, { optOutNumber: '2910' })
        .map(({ code }) => code)
        .filter((code) => code !== 'FORCES_UNICODE'),
      [],
    );
  }
});

test('a table edited by staff replaces the default phrases', () => {
  const lexicon = compileLexicon([{ category: 'financial', lang: 'en', term: 'piggy bank', level: 'block' }]);
  const codes = (text: string) =>
    checkTemplate(text, 2, { lexicon }).map(({ code, severity }) => `${severity} ${code}`);
  assert.deepEqual(codes('A loan for you'), []);
  assert.deepEqual(codes('A Piggy-Bank for you'), ['error PROHIBITED']);
});

test('offsets are always within the text, and every fix can be applied', () => {
  const piece = fc.oneof(
    fc.constantFrom(...TEMPLATE_VECTORS.filter(({ text }) => text.length < 80).map(({ text }) => text)),
    fc.string({ unit: 'binary', maxLength: 10 }),
    fc.constantFrom('{1}', '{2}', '{', '}', ' ', '\r\n', '.com', '贷款', 'T'),
  );
  const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.constantFrom(1 as const, 2 as const, 3 as const), (sample, type) => {
      for (const { from, to, fix } of checkTemplate(sample, type)) {
        assert.ok(0 <= from && from <= to && to <= sample.length);
        if (fix === undefined) continue;
        assert.ok(0 <= fix.from && fix.from <= fix.to && fix.to <= sample.length);
        assert.notEqual(applyFixes(sample, [fix]), sample);
      }
    }),
    { numRuns: 1_500 },
  );
});

test('outer white space neither counts nor hides anything', () => {
  const findings = checkTemplate(`${' '.repeat(5_000)}Hi {2}\t${'\n'.repeat(5_000)}`, 2);
  assert.deepEqual(
    findings.map(({ code, from, to }) => [code, from, to]),
    [['VARIABLE_NOT_CONSECUTIVE', 5_003, 5_006]],
  );
});

test('a very long text only reports its length', () => {
  const findings = checkTemplate(`${'{x'.repeat(50_000)} :)`, 3);
  assert.deepEqual(
    findings.map((finding) => finding.code),
    ['TOO_LONG'],
  );
});
