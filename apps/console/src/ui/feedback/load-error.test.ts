import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { holdUnsaved } from '../../lib/unsaved.ts';
import { ChunkLoadError, loadChunk, reloadOnceForStaleChunk } from './load-error.ts';

/** Of a browser, as far as a reload needs it. */
const stored = new Map<string, string>();
let reloads = 0;
const give = (name: string, value: unknown) =>
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
give('navigator', { onLine: true });
give('window', { location: { reload: () => reloads++ } });
give('sessionStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
});
beforeEach(() => {
  stored.clear();
  reloads = 0;
});

test('a page whose code is missing is reloaded, at most once a minute', () => {
  assert.equal(reloadOnceForStaleChunk(), true);
  assert.equal(reloadOnceForStaleChunk(), false);
  assert.equal(reloads, 1);
});

test('a page with unsaved input is not reloaded automatically: only what opens over it fails', async () => {
  const release = holdUnsaved(() => true);
  const gone = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module: /assets/a.js'));
  await assert.rejects(loadChunk(gone), ChunkLoadError);
  assert.equal(reloads, 0);
  release();
});
