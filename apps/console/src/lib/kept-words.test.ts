import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { keepWords, takeKeptWords } from './kept-words.ts';

/** Of a browser's tab. */
const kept = new Map<string, string>();
const open = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
  removeItem: (key: string) => kept.delete(key),
};
const give = (storage: object) =>
  Object.defineProperty(globalThis, 'sessionStorage', { value: storage, configurable: true });
beforeEach(() => {
  kept.clear();
  give(open);
});

test('a message left by one page is shown by the next one, once', () => {
  assert.equal(takeKeptWords(), null);
  keepWords({ words: '退出登录成功', lang: 'zh-CN' });
  assert.deepEqual(takeKeptWords(), { words: '退出登录成功', lang: 'zh-CN' });
  assert.equal(takeKeptWords(), null);
});

test('a browser that keeps nothing, or something else, breaks no page', () => {
  kept.set('pahatid.words', '{');
  assert.equal(takeKeptWords(), null);
  const closed = () => {
    throw new Error('SecurityError');
  };
  give({ getItem: closed, setItem: closed, removeItem: closed });
  keepWords({ words: 'Logout successful', lang: 'en-US' });
  assert.equal(takeKeptWords(), null);
});
