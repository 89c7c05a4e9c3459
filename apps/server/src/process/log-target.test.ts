import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { until } from '@pahatid/testkit';

const LOG = path.join(import.meta.dirname, 'log.ts');

/** A program that logs to the given stdout, and reports its progress over the channel. */
function runLogging(body: string, stdout: 'pipe' | number): ChildProcess {
  const script = `
    const { makeLog } = await import(${JSON.stringify(LOG)});
    const log = makeLog('info', 'test');
    process.on('message', () => process.exit(0));
    ${body}`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', stdout, 'inherit', 'ipc'],
  });
}

test('P15 a log on a full disk blocks nothing: neither a running program nor its exit', {
  skip: process.platform === 'linux' ? false : 'needs /dev/full',
}, async () => {
  const full = openSync('/dev/full', 'w');
  const child = runLogging(
    `for (let n = 0; n < 30; n++) {
       log.error({ n }, 'not to be written');
       await new Promise((resolve) => setTimeout(resolve, 10));
     }
     log.fatal('the last word');
     process.exit(7);`,
    full,
  );
  closeSync(full);
  const [code, signal] = (await once(child, 'exit', { signal: AbortSignal.timeout(120_000) })) as unknown[];
  assert.deepEqual([code, signal], [7, null]);
});

test('P15 an unread log stays within its memory limit; lost entries are counted, the rest are complete', async () => {
  const total = 40_000;
  const child = runLogging(
    `for (let n = 0; n < ${total}; n++) {
       log.info({ n }, 'x'.repeat(60));
       if (n % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
     }
     process.send('written');`,
    'pipe',
  );
  await once(child, 'message');
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const closed = once(child, 'close', { signal: AbortSignal.timeout(120_000) });
  await until(() => text.includes('log lines lost'));
  child.send('enough');
  await closed;
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { n?: number; lost?: number });
  const lost = lines.find((line) => line.lost !== undefined)?.lost ?? 0;
  const numbers = lines.flatMap(({ n }) => n ?? []);
  assert.ok(lost > 0 && numbers.length + lost === total, `${numbers.length} written, ${lost} lost`);
  assert.ok(text.length < 4 * 1_048_576, `${text.length} characters were kept`);
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  );
});
