/** Children that are really started, hang and are killed. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { isRunning, until } from '@pahatid/testkit';
import { pino } from 'pino';
import { keepRunning, type SupervisedChild } from './keep-running.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-keep-'));
const children: SupervisedChild[] = [];
after(async () => {
  for (const child of children) await child.stop(5_000);
  rmSync(folder, { recursive: true, force: true });
});

const saysReady = `process.on('disconnect', () => process.exit(0)); process.send({ ready: true });`;
/** Writes a file named after its pid, then hangs. */
const hangs = `import { writeFileSync } from 'node:fs';
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => {});
writeFileSync(${JSON.stringify(folder)} + '/' + process.pid, '');`;
const hasHung = (child: SupervisedChild): boolean => existsSync(path.join(folder, String(child.pid())));
const fails = 'process.exit(3);';

/** A program whose file contains the script of its next process. */
function keep(script: string, readyTimeoutMs = 2_000): { child: SupervisedChild; become: (script: string) => void } {
  const file = path.join(folder, `child-${children.length}.mjs`);
  const become = (text: string): void => writeFileSync(file, text);
  become(script);
  const child = keepRunning({
    name: 'child',
    command: [process.execPath, file],
    env: {},
    saysReady: true,
    readyTimeoutMs,
    log: pino({ level: 'silent' }),
  });
  children.push(child);
  return { child, become };
}

test('a start that hangs is killed when its time is over, and made again', async () => {
  const { child, become } = keep(hangs);
  const hanging = child.pid() ?? 0;
  await until(() => hasHung(child));
  become(saysReady);
  await child.ready;
  assert.ok(!isRunning(hanging));
  assert.deepEqual([child.state(), child.restarts()], ['running', 1]);
});

test('a restart that hangs is killed when its time is over, and made again', async () => {
  const { child, become } = keep(saysReady);
  await child.ready;
  become(hangs);
  process.kill(child.pid() ?? 0, 'SIGKILL');
  await until(() => hasHung(child));
  become(saysReady);
  await until(() => child.state() === 'running');
  assert.equal(child.restarts(), 2);
});

test('a child that waits for its next start can be started immediately', async () => {
  const { child, become } = keep(saysReady);
  await child.ready;
  become(fails);
  process.kill(child.pid() ?? 0, 'SIGKILL');
  await until(() => child.restarts() >= 4);
  await until(() => child.state() === 'waiting');
  become(saysReady);
  const { promise: running, resolve } = Promise.withResolvers<void>();
  child.startNow();
  assert.equal(child.state(), 'starting');
  void until(() => child.state() === 'running').then(() => resolve());
  await running;
});

test('a first start that hangs again and again is given up', async () => {
  const { child } = keep(hangs, 200);
  await assert.rejects(child.ready, /child ended 5 times without getting ready \(last: SIGKILL\)/);
  assert.equal(child.state(), 'ended');
});
