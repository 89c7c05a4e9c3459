import assert from 'node:assert/strict';
import { test } from 'node:test';
import { name } from './shapes.ts';

test('a name has a visible character; invisible ones are allowed next to it', () => {
  const shape = name(20);
  for (const given of ['Ana', '喜', '7', '!', '👩‍👩‍👧', '\u200fשלום', 'e\u0301'])
    assert.equal(shape.parse(` ${given} `), given);
  for (const given of ['', '  ', '\u200b', '\u200e\u200f', '\u2060\u00ad', '\u0301', 'a\u0000', 'a\nb'])
    assert.equal(shape.safeParse(given).success, false, JSON.stringify(given));
});
