import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { before, test } from 'node:test';
import { measureVisits, type Visit } from './visit-bytes.ts';

const root = path.resolve(import.meta.dirname, '../../..');
let visits: Visit[] = [];

before(() => {
  // Does nothing if the build matches the sources, as in a run of all tests.
  const script = `import(${JSON.stringify(path.join(root, 'scripts/build-console.mjs'))}).then((m) => m.buildConsole())`;
  execFileSync(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit'] });
  visits = measureVisits(path.join(root, 'apps/console/dist'));
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
