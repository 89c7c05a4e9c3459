import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { build } from 'vite';
import { measureVisits, type Visit } from './visit-bytes.ts';

let visits: Visit[] = [];
const folder = mkdtempSync(path.join(tmpdir(), 'pahatid-build-'));
after(() => rmSync(folder, { recursive: true, force: true }));
before(async () => {
  await build({
    configFile: path.resolve(import.meta.dirname, '../vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true },
  });
  visits = measureVisits(folder);
});

test('no visit costs more bytes than its budget: sign-in, first list, charts, each further screen, public pages', () => {
  assert.deepEqual(
    visits.filter(({ bytes, budget }) => bytes > budget),
    [],
    'A budget is passed. A chunk that a screen needs only now and then belongs behind a dynamic import; heavy are the rules of phone numbers, Ant Design, charts and the list of top-level domains',
  );
});

test('every screen is measured', () => {
  const names = visits.map(({ name }) => name).join('\n');
  for (const address of ['/home', '/application', '/routing', '/bussinessStatistics/statistics'])
    assert.ok(names.includes(address), address);
  assert.ok(visits.every(({ bytes }) => bytes > 500));
});
