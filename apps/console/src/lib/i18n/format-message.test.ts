import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type MessageFormatElement, parse } from '@formatjs/icu-messageformat-parser';
import { createIntl, createIntlCache } from 'react-intl';
import { formatParts } from './format-message.ts';
import { isolate } from './text-direction.ts';

const locales = path.resolve(import.meta.dirname, '../../locales');

/** Names of all values, with their kinds of element. */
function namesIn(message: readonly MessageFormatElement[], found = new Map<string, number>()): Map<string, number> {
  for (const element of message) {
    if (element.type === 0 || element.type === 7) continue;
    found.set(element.value, Math.max(element.type, found.get(element.value) ?? 0));
    if (element.type === 8) namesIn(element.children, found);
    if (element.type === 5 || element.type === 6)
      for (const option of Object.values(element.options)) namesIn(option.value, found);
  }
  return found;
}

const wrap = (chunks: unknown[]) => `[${chunks.join('')}]`;
const valueFor = (kind: number, count: number, word: string): unknown =>
  kind === 8 ? wrap : kind === 2 || kind === 6 ? count : kind === 5 ? word : `‹${word}›`;

/** Returns the options of selects, so that each is used once. */
const optionsIn = (text: string): string[] => [...text.matchAll(/([\w.]+) \{/g)].map(([, word = '']) => word);

// Making formatters is what costs the time.
const cache = createIntlCache();

const same = (locale: string, text: string) => {
  const message = parse(text, { captureLocation: false });
  const names = namesIn(message);
  const intl = createIntl({ locale: `${locale}-u-nu-latn`, messages: { text: message as never } }, cache);
  const kinds = [...names.values()];
  const words = kinds.includes(5) ? new Set(['other', ...optionsIn(text)]) : ['other'];
  const counts = kinds.some((kind) => kind === 2 || kind === 6) ? [0, 1, 2, 3, 5, 11, 21, 100, 1_234_567, 0.5] : [1];
  for (const word of words)
    for (const count of counts) {
      const values = Object.fromEntries([...names].map(([name, kind]) => [name, valueFor(kind, count, word)]));
      const wanted = String(intl.formatMessage({ id: 'text' }, values as never));
      assert.equal(formatParts(message, locale, values).join(''), wanted, text);
    }
};

test('every message of the catalogues reads as the reference implementation writes it', () => {
  for (const locale of readdirSync(locales))
    for (const file of readdirSync(path.join(locales, locale))) {
      const messages = JSON.parse(readFileSync(path.join(locales, locale, file), 'utf8')) as Record<string, string>;
      for (const text of Object.values(messages)) if (/[{<]/.test(text)) same(locale, text);
    }
});

test('plurals follow the rules of each language, with exact numbers, offsets and ordinals', () => {
  for (const locale of ['ar', 'ru', 'pl', 'he', 'cy', 'ja', 'fr']) {
    same(locale, '{n, plural, =0 {none} zero {z #} one {o #} two {t #} few {f #} many {m #} other {x #}}');
    same(locale, '{n, plural, offset:1 =1 {you} one {you and # other} other {you and # others}}');
    same(locale, '{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}');
  }
});

test('elements passed as values are unchanged, and tags receive their content', () => {
  const link = { href: '/x' };
  const parts = formatParts(parse('See <a>{count, number} pages</a> of {link}.'), 'en-US', {
    a: (chunks: unknown[]) => ({ chunks }),
    count: 1200,
    link,
  });
  assert.deepEqual(parts, ['See ', { chunks: ['1,200 pages'] }, ' of ', link, '.']);
});

test('in a right-to-left sentence a word selects its text, and is isolated where it is shown', () => {
  const message = parse('{name}: {state, select, done {تم} other {{state}}}', { captureLocation: false });
  const written = (state: string) => formatParts(message, 'ar-EG', isolate({ name: 'Ana', state }, 'rtl')).join('');
  assert.equal(written('done'), '\u2068Ana\u2069: تم');
  assert.equal(written('held'), '\u2068Ana\u2069: \u2068held\u2069');
});
