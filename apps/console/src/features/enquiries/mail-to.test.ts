import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailTo } from './mail-to.ts';

test('an address stays readable, and cannot add recipients to the mail', () => {
  assert.equal(mailTo('ana.reyes@example.com'), 'mailto:ana.reyes@example.com');
  const url = new URL(mailTo('a?bcc=b&subject=c@example.com'));
  assert.deepEqual([url.search, decodeURIComponent(url.pathname)], ['', 'a?bcc=b&subject=c@example.com']);
});
