import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localPath } from './local-path.ts';

const origin = 'http://127.0.0.1:8080';

test('a path of this site is kept with its query', () => {
  assert.equal(localPath('/bulkMessage?open=1&a=b', origin), '/bulkMessage?open=1&a=b');
});

test('no other site can be reached', () => {
  for (const next of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    'evil',
    '',
    undefined,
  ]) {
    assert.equal(localPath(next, origin), undefined, String(next));
  }
});
