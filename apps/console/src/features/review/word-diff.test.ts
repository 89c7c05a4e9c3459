import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffWords } from './word-diff.ts';

const shown = (before: string, after: string): string =>
  diffWords(before, after)
    .map(({ kind, text }) => ({ same: text, added: `[+${text}]`, dropped: `[-${text}]` })[kind])
    .join('');

test('changed words are marked in place', () => {
  assert.equal(
    shown('Hi {1}, order {2} is ready', 'Hi {1}, parcel {2} is ready'),
    'Hi {1}, [-order][+parcel] {2} is ready',
  );
  assert.equal(shown('您的订单已到店', '您的包裹已到店'), '您的[-订单][+包裹]已到店');
  assert.equal(shown('same', 'same'), 'same');
  assert.equal(shown('', 'new text'), '[+new text]');
});

test('old and new text can both be read off the pieces', () => {
  const before = 'a b c d e {1} 年终 大促!';
  const after = 'a c d x e {2} 年终 促销!!';
  const pieces = diffWords(before, after);
  const join = (without: string) => pieces.flatMap(({ kind, text }) => (kind === without ? [] : [text])).join('');
  assert.equal(join('added'), before);
  assert.equal(join('dropped'), after);
});
