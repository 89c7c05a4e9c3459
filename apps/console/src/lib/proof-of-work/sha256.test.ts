import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { findProof } from './find-proof.ts';
import { sha256Head } from './sha256.ts';

test('agrees with the machine’s own SHA-256 for every length of one block', () => {
  for (let length = 0; length <= 55; length++) {
    const text = Array.from({ length }, (_, n) => String.fromCharCode(33 + ((n * 7 + length) % 90))).join('');
    assert.equal(sha256Head(text), createHash('sha256').update(text).digest().readUInt32BE(0), text);
  }
  assert.throws(() => sha256Head('x'.repeat(56)), RangeError);
});

test('the proof found is one that the server accepts, and a search that is given up ends', async () => {
  const prefix = 'abcdefghijklmnopqrstuv';
  const proof = await findProof(prefix, 12, new AbortController().signal);
  const digest = createHash('sha256').update(prefix).update(proof).digest();
  assert.ok(Math.clz32(digest.readUInt32BE(0)) >= 12);
  const gone = new AbortController();
  const search = findProof(prefix, 32, gone.signal);
  gone.abort();
  await assert.rejects(search, { name: 'AbortError' });
});
