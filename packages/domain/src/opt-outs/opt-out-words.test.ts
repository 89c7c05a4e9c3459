import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOptOut } from './opt-out-words.ts';

test('the whole trimmed body must be an opt-out keyword, in any case or width', () => {
  for (const body of ['T', ' t\n', 'Ｔ', 'stop', 'Opt-Out', '退订', '退訂 ', 'r'])
    assert.equal(isOptOut(body), true, body);
  for (const body of ['', 'T T', 'stop it', 'Thanks', 'Yes', '请退订', 'TT']) assert.equal(isOptOut(body), false, body);
});
