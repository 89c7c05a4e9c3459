import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const main = path.join(import.meta.dirname, '../main.ts');
const root = path.join(import.meta.dirname, '../../../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

test('`version` prints the version of the release, which the changelog describes', () => {
  const { status, stdout } = spawnSync(process.execPath, [main, 'version'], { encoding: 'utf8' });
  assert.deepEqual([status, stdout], [0, `${version}\n`]);
  assert.match(version, /^\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/);
  assert.match(read('CHANGELOG.md'), new RegExp(`^## \\[${version}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm'));
});
