import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isIn } from './catalogues.ts';

const source = path.resolve(import.meta.dirname, '../src');
const routing = JSON.parse(readFileSync(path.join(source, 'locales/en-US/routing.json'), 'utf8')) as Record<
  string,
  string
>;
/** The screen of an application shows the trace of a test bind. */
const onOtherScreens = 'features/routing/bind-trace.tsx';

test('texts that come with the screens of routing are shown on no other screen', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && (!file.startsWith('features/routing/') || file === onOtherScreens),
  );
  const wrong = files.flatMap((file) => {
    const text = readFileSync(path.join(source, file), 'utf8');
    // Of a key that is put together, its beginning.
    const named = [...text.matchAll(/['`](routing\.[\w.]*)(\$\{)?/g)].map(([, name = '', open]) => ({ name, open }));
    return named.flatMap(({ name, open }) =>
      Object.keys(routing)
        .filter((key) => (open === undefined ? key === name : key.startsWith(name)))
        .filter((key) => !isIn('console', 'routing', key))
        .map((key) => `${file}: ${key}`),
    );
  });
  assert.deepEqual(wrong, []);
  assert.ok(Object.keys(routing).some((key) => isIn('routing', 'routing', key)));
});
