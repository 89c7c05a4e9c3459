import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileTemplate } from './compile-template.ts';
import { countVariables, listVariables, normalizeContent, renderTemplate, renumberVariables } from './variables.ts';

test('lists placeholders with their places, repeats included', () => {
  assert.deepEqual(listVariables('a {1} {12} {0} {x} {1}'), [
    { number: 1, from: 2, to: 5 },
    { number: 12, from: 6, to: 10 },
    { number: 1, from: 19, to: 22 },
  ]);
  assert.equal(countVariables('a {1} {12} {1}'), 12);
});

test('a value that looks like a placeholder or a pattern stays text', () => {
  assert.equal(renderTemplate('{1} and {2}', ['{2}', '$&']), '{2} and $&');
  assert.equal(compileTemplate('{1} and {2}').render(['{2}', '$&']), '{2} and $&');
});

test('a placeholder without a value stays as written in a preview', () => {
  assert.equal(renderTemplate('{1} {2}', ['a']), 'a {2}');
});

test('stored text has line feeds only and no outer space', () => {
  assert.equal(normalizeContent(' a\r\nb\rc \n'), 'a\nb\nc');
});

test('renumbering makes the numbers 1 to n in order of appearance', () => {
  const content = fc
    .array(
      fc.oneof(
        fc.integer({ min: 1, max: 99 }).map((number) => `{${number}}`),
        fc.constantFrom('a', ' ', '.'),
      ),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(content, (sample) => {
      const numbers = [...new Set(listVariables(renumberVariables(sample)).map((variable) => variable.number))];
      assert.deepEqual(
        numbers,
        numbers.map((_, i) => i + 1),
      );
    }),
  );
});

test('a compiled template renders what a plain one does', () => {
  const content = fc.array(fc.constantFrom('{1}', '{2}', '{3}', 'a', '{', '}', ' 中', '{0}')).map((p) => p.join(''));
  fc.assert(
    fc.property(content, fc.tuple(fc.string(), fc.string(), fc.string()), (sample, values) => {
      assert.equal(compileTemplate(sample).render(values), renderTemplate(sample, values));
    }),
  );
});

test('values that only together make a link are caught', () => {
  const judge = (content: string, values: string[]) => compileTemplate(content).judgeValues(values);
  assert.deepEqual(judge('Go {1}.{2} now', ['bit', 'ly']), { verdict: 'link', variable: 1 });
  assert.deepEqual(judge('Go {1}{2} now', ['bit', '.ly/x']), { verdict: 'link', variable: 1 });
  assert.deepEqual(judge('Hi {1}/{2}', ['a', 'b']), { verdict: 'plain', variable: 0 });
  assert.deepEqual(judge('Pay PHP {1}.00', ['1,250']), { verdict: 'plain', variable: 0 });
  assert.deepEqual(judge('Hi Dr.{1}', ['Reyes']), { verdict: 'plain', variable: 0 });
  assert.deepEqual(judge('Hi {1}, {2}.', ['Juan', 'shop.com']), { verdict: 'link', variable: 2 });
  assert.deepEqual(judge('Hi {1}, {2}.', ['Dr.Co', 'x']), { verdict: 'ambiguous', variable: 1 });
});
