import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { changedFiles, reachedTests, readSources } from './changed-tests.ts';

const root = path.join(import.meta.dirname, '..');
const sources = readSources(root);
const reached = (...changed: string[]) => reachedTests(changed, sources);
const every = [...sources.keys()].filter((file) => file.endsWith('.test.ts'));

test('a changed test reaches itself', () => {
  const file = 'packages/domain/src/money/money.test.ts';
  assert.deepEqual(reached(file), { tests: [file], notes: [] });
});

test('a changed source reaches the tests that import it, through packages too, and no others', () => {
  const { tests } = reached('packages/smpp/src/codec/pdu-decoder.ts', 'packages/engine/src/pacer.ts');
  for (const file of [
    'packages/engine/src/pacer.test.ts',
    'packages/engine/src/engine.test.ts',
    'apps/server/src/sending/sending.test.ts',
  ]) {
    assert.ok(tests.includes(file), file);
  }
  for (const file of ['packages/domain/src/money/money.test.ts', 'packages/db/src/ids.test.ts']) {
    assert.ok(!tests.includes(file), file);
  }
});

test('what starts a program by its path is reached by what the program imports', () => {
  const { tests } = reached('apps/server/src/roles/sender.ts');
  for (const file of ['e2e/src/promises/p01-kill-sender.test.ts', 'e2e/src/kill.test.ts']) {
    assert.ok(tests.includes(file), file);
  }
});

test('a migration reaches every test on a database, a text of the console every test in a browser; both are said', () => {
  const migration = [...sources.keys()].find((file) => file.startsWith('packages/db/migrations/')) ?? '';
  const { tests, notes } = reached(migration, 'apps/console/src/locales/en-US/tasks.json');
  for (const file of ['packages/testkit/src/test-database.test.ts', 'e2e/src/sign-in.test.ts']) {
    assert.ok(tests.includes(file), file);
  }
  assert.ok(!tests.includes('packages/smpp/src/codec/fuzz.test.ts'));
  assert.ok(notes.some((line) => line.startsWith(migration)));
  assert.ok(notes.some((line) => line.startsWith('apps/console/src/locales/')));
});

test('what installs or runs everything reaches everything, and so does what nobody is known to read', () => {
  for (const file of ['package-lock.json', 'packages/db/package.json', 'scripts/run-tests.ts', 'apps/server/odd.bin']) {
    assert.equal(reached(file).tests.length, every.length, file);
    assert.equal(reached(file).notes.length, 1, file);
  }
});

test('a document reaches the tests that read it', () => {
  // In two parts, lest it be named here.
  assert.deepEqual(reached(['docs', 'glossary.md'].join('/')).tests, []);
  assert.ok(reached('docs/security.md').tests.includes('scripts/security-list.test.ts'));
});

test('what counts as changed: commits of the branch, what is not committed, new files', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-changed-'));
  try {
    const git = (...words: string[]): void => {
      const who = ['-c', 'user.name=A', '-c', 'user.email=a@pahatid.test'];
      execFileSync('git', [...who, ...words], { cwd: folder, stdio: 'ignore' });
    };
    const write = (name: string): void => writeFileSync(path.join(folder, name), String(Math.random()));
    mkdirSync(path.join(folder, 'a b'));
    git('init', '-b', 'main');
    for (const name of ['kept', 'edited', 'committed']) write(name);
    git('add', '.');
    git('commit', '-m', 'one');
    assert.deepEqual(changedFiles(folder).files, []);
    write('edited');
    write('a b/new');
    assert.deepEqual(changedFiles(folder), { base: 'HEAD', files: ['a b/new', 'edited'] });
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    write('committed');
    git('commit', '-m', 'two', 'committed');
    assert.deepEqual(changedFiles(folder).files, ['a b/new', 'committed', 'edited']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
