import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileTemplate } from './compile-template.ts';
import { matchTemplate } from './match-template.ts';

const match = (content: string, text: string) => matchTemplate(compileTemplate(content), text);

test('a text matches the template that makes it, with its values', () => {
  assert.deepEqual(match('Hello', 'Hello'), []);
  assert.deepEqual(match('Dear {1}, your order {2} is ready.', 'Dear Ana, your order 17 is ready.'), ['Ana', '17']);
  assert.deepEqual(match('{1} and {1}', 'one and one'), ['one']);
  assert.deepEqual(match('Code {2} for {1}', 'Code 123456 for Ana'), ['Ana', '123456']);
});

test('another text does not match', () => {
  for (const text of ['Hello!', 'hello', '']) assert.equal(match('Hello', text), null, text);
  for (const text of [
    'Dear , your order 17 is ready.',
    'Dear Ana, your order 17 is late.',
    'Dear Ana, your order 17 is ready. Visit us',
  ])
    assert.equal(match('Dear {1}, your order {2} is ready.', text), null, text);
  assert.equal(match('{1} and {1}', 'one and two'), null);
  assert.equal(match('Go to {1} now', 'Go to https://evil.example/x now'), null);
});

test('a hostile text takes one pass', () => {
  const content = `x${Array.from({ length: 20 }, (_, n) => `{${n + 1}} `).join('')}y`;
  assert.equal(match(content, `x${'a '.repeat(5_000)}`), null);
});
