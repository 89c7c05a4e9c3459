import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinParts } from './join-parts.ts';

test('parts are joined in order, and each gap is marked once', () => {
  const of = (...parts: (string | null)[]) => joinParts(parts).content;
  assert.equal(of('a', 'b', 'c'), 'abc');
  assert.equal(of('a', null, 'c'), 'a…c');
  assert.equal(of(null, null, 'c', null), '…c…');
  assert.equal(of('\ud83d', '\ude00'), '\u{1f600}');
});

test('an opt-out counts whole, split in parts, and next to missing parts', () => {
  const refuses = (...parts: (string | null)[]) => joinParts(parts).isOptOut;
  assert.equal(refuses('ST', 'OP'), true);
  assert.equal(refuses(' stop ', null), true);
  assert.equal(refuses(null, 'ST', 'OP'), true);
  assert.equal(refuses('STOP', ' it'), false);
  assert.equal(refuses('ST', null, 'OP'), false);
});
