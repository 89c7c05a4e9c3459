import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isIn } from './catalogues.ts';

const source = path.resolve(import.meta.dirname, '../src');
/** Features whose texts come with their screens, by their folder. */
const apart = {
  routing: 'features/routing/',
  audit: 'features/audit-log/',
  customers: 'features/customers/',
  abTests: 'features/tasks/ab-',
  sendHours: 'features/tasks/send-hours.tsx',
  thresholds: 'features/thresholds/',
  conversations: 'features/conversations/',
  consents: 'features/groups/consents/',
  dossiers: 'features/senders/',
  savedViews: 'ui/views/',
} as const;
/** The screen of an application shows the trace of a test bind. */
const onOtherScreens = 'features/routing/bind-trace.tsx';

for (const [feature, folder] of Object.entries(apart) as [keyof typeof apart, string][])
  test(`texts that come with the screens of ${feature} are shown on no other screen`, () => {
    const texts = readFileSync(path.join(source, `locales/en-US/${feature}.json`), 'utf8');
    const keys = Object.keys(JSON.parse(texts) as object);
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.tsx?$/.test(file) && (!file.startsWith(folder) || file === onOtherScreens),
    );
    const wrong = files.flatMap((file) => {
      const text = readFileSync(path.join(source, file), 'utf8');
      // Of a key that is put together, its beginning.
      const named = [...text.matchAll(new RegExp(`['\`](${feature}\\.[\\w.]*)(\\$\\{)?`, 'g'))];
      return named.flatMap(([, name = '', open]) =>
        keys
          .filter((key) => (open === undefined ? key === name : key.startsWith(name)))
          .filter((key) => !isIn('console', feature, key))
          .map((key) => `${file}: ${key}`),
      );
    });
    assert.deepEqual(wrong, []);
    assert.ok(keys.some((key) => isIn(feature, feature, key)));
  });
