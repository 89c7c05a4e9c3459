import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepUsedProperties, keepUsedRules } from './used-rules.ts';

test('a page has the rules of its classes, and those without one', () => {
  const css = 'a { color: red } .card { margin: 0 } .row, .list { gap: 1px } @media print { .card { display: none } }';
  assert.equal(keepUsedRules(css, new Set(['list'])), 'a{color: red}.list{gap: 1px}');
});

test('a page has the custom properties that it reads, also by way of another', () => {
  const css = ':root{--ink: #111;--line: #eee;--soft: var(--line);--none: 1px}p{color: var(--ink)}';
  assert.equal(keepUsedProperties(css, new Set()), ':root{--ink: #111;}p{color: var(--ink)}');
  assert.equal(
    keepUsedProperties(css, new Set(['soft'])),
    ':root{--ink: #111;--line: #eee;--soft: var(--line);}p{color: var(--ink)}',
  );
});
