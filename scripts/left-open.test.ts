import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

const PRELOAD = path.join(import.meta.dirname, 'test-cost.ts');

const runFile = (t: { after(work: () => void): void }, text: string) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-left-open-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'some.test.ts');
  writeFileSync(file, `import { test } from 'node:test';\n${text}\n`);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, ['--import', PRELOAD, file], {
    env: { ...env, PAHATID_TEST_LEFT_OPEN_MS: '100' },
    encoding: 'utf8',
    timeout: 60_000,
  });
};

test('a file that something keeps after its last test is ended, and fails', (t) => {
  const { status, stderr, signal } = runFile(t, `setInterval(() => {}, 1_000);\ntest('a', () => {});`);
  assert.deepEqual([status, signal], [1, null]);
  assert.match(stderr, /left open after the last test: .*Timeout/);
});

test('a file that ends, and one that has work to do for longer, are left alone', (t) => {
  assert.equal(runFile(t, `test('a', () => {});`).status, 0);
  const slow = runFile(t, `test('a', () => new Promise((done) => { setTimeout(done, 500); }));`);
  assert.equal(slow.status, 0);
});
