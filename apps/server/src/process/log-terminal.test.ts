/** The output of a start at a terminal: lines for people, few of them. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { removeEmbedded } from '@pahatid/db/embedded';
import { findChildren, freePort, until } from '@pahatid/testkit';

const MAIN = path.join(import.meta.dirname, '../main.ts');
const READY = 'Pahatid is ready';
const CONTROL_ABOVE = 1_000;
const base = mkdtempSync(path.join(os.tmpdir(), 'pahatid-terminal-'));
const dataDir = path.join(base, 'data');
let child: ChildProcess | undefined;
after(async () => {
  child?.kill('SIGKILL');
  await removeEmbedded(dataDir);
  rmSync(base, { recursive: true, force: true });
});

// `script` of util-linux runs a command in a separate terminal.
const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

test('the first start of the demo at a terminal shows at most 25 readable lines until it is ready', {
  skip: hasTerminal ? false : 'needs script of util-linux',
}, async () => {
  child = spawn('script', ['-qec', `exec "${process.execPath}" "${MAIN}" start`, '/dev/null'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PAHATID_DATA: dataDir,
      PAHATID_PORT: String(await freePort()),
      PAHATID_SMPP_PORT: String(await freePort()),
      PAHATID_SIM_PORT: String(await freePort(CONTROL_ABOVE)),
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  await until(() => output.includes(READY) || child?.exitCode !== null, { timeoutMs: 180_000, what: READY });
  assert.ok(output.includes(READY), output);
  const lines = output
    .slice(0, output.indexOf(READY))
    .split('\n')
    .map((line) => line.trimEnd());
  assert.ok(lines.length <= 25, `${lines.length} lines:\n${lines.join('\n')}`);
  assert.deepEqual(
    lines.filter((line) => line.startsWith('{') || line.startsWith('    ')),
    [],
  );
  assert.match(output, /INFO.*supervisor: database migrated/);
  for (const pid of findChildren(child.pid ?? 0, 'main.ts start')) process.kill(pid, 'SIGTERM');
  await until(() => child?.exitCode !== null, { what: 'the end of the program' });
  assert.equal(child.exitCode, 0, output);
});
