import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { storeNextPageMessage, takeNextPageMessage } from './next-page-message.ts';

/** Of a browser's tab. */
const stored = new Map<string, string>();
const open = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
  removeItem: (key: string) => stored.delete(key),
};
const give = (storage: object) =>
  Object.defineProperty(globalThis, 'sessionStorage', { value: storage, configurable: true });
beforeEach(() => {
  stored.clear();
  give(open);
});

test('a message left by one page is shown by the next one, once', () => {
  assert.equal(takeNextPageMessage(), null);
  storeNextPageMessage({ text: '退出登录成功', lang: 'zh-CN' });
  assert.deepEqual(takeNextPageMessage(), { text: '退出登录成功', lang: 'zh-CN' });
  assert.equal(takeNextPageMessage(), null);
});

test('a browser that keeps nothing, or something else, breaks no page', () => {
  stored.set('pahatid.message', '{');
  assert.equal(takeNextPageMessage(), null);
  const closed = () => {
    throw new Error('SecurityError');
  };
  give({ getItem: closed, setItem: closed, removeItem: closed });
  storeNextPageMessage({ text: 'Logout successful', lang: 'en-US' });
  assert.equal(takeNextPageMessage(), null);
});
