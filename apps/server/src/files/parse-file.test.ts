import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startStopwatch, until } from '@pahatid/testkit';
import { decodeBlock } from './blocks.ts';
import { makeCsv, makeLargeXls, makeXls, makeXlsx, plainRows, testHeader, testRecipient } from './make-test-files.ts';
import { type ParsedFile, type ParseFileOptions, parseFile } from './parse-file.ts';
import { bufferSource, type ChunkSource, pieceSource } from './source.ts';

type Given = Omit<ParseFileOptions, 'onBlock' | 'onRejects' | 'fileName' | 'source'> &
  Partial<Pick<ParseFileOptions, 'onBlock' | 'onRejects' | 'fileName'>>;

function parse(source: ChunkSource | Buffer | string, given: Given = {}): Promise<ParsedFile> {
  const bytes = typeof source === 'string' ? Buffer.from(source) : source;
  return parseFile({
    fileName: 'list.csv',
    source: Buffer.isBuffer(bytes) ? bufferSource(bytes) : bytes,
    onBlock: () => undefined,
    onRejects: () => undefined,
    ...given,
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const untilGone = (pid: number) => until(() => !isRunning(pid), { what: `the end of process ${pid}` });

const csv = Buffer.from(makeCsv(5_000));
const big = Buffer.from(makeCsv(150_000));

test('hands over every recipient once, in order, in blocks of at most 1,000, with progress', async () => {
  const rows: ReturnType<typeof decodeBlock> = [];
  const sizes: number[] = [];
  const text = `${csv.toString()}12345,Bad,1,x\n${testRecipient(0).join(',')}\n+1 415 555 2671,Foreign,2,y\n`;
  const rejects: unknown[] = [];
  const parsed = await parse(text, {
    onBlock: async ({ seq, rowCount, bytes }) => {
      assert.equal(seq, sizes.length);
      const block = decodeBlock(bytes);
      assert.equal(block.length, rowCount);
      sizes.push(rowCount);
      rows.push(...block);
      await delay(1);
    },
    onRejects: (rejected) => void rejects.push(...rejected),
  });
  assert.ok(parsed.ok);
  assert.deepEqual(sizes, [1_000, 1_000, 1_000, 1_000, 1_000, 1]);
  assert.deepEqual(
    [parsed.totalRows, parsed.validCount, parsed.duplicateCount, parsed.rejectedCount],
    [5_003, 5_001, 1, 1],
  );
  rows.slice(0, 5_000).forEach((row, index) => {
    const [phone, ...values] = testRecipient(index);
    assert.deepEqual(row, { line: index + 2, msisdn: `63${phone.slice(1)}`, values: ['', ...values] });
  });
  assert.equal(rows.at(-1)?.msisdn, '14155552671');
  assert.equal(rejects.length, 1);
  assert.deepEqual(
    parsed.columns.map(({ name }) => name),
    [...testHeader],
  );
  assert.equal(parsed.sample.length, 20);
  assert.ok(parsed.cost.peakRssBytes > 0);
});

test('reads all three kinds out of pieces of an odd size, as a database keeps them', async () => {
  const rows = [testHeader, ...Array.from({ length: 3_000 }, (_, index) => testRecipient(index))];
  const files = {
    'list.csv': csv,
    'list.xls': makeXls(rows),
    'list.xlsx': await makeXlsx({ sheets: [{ name: 'List', rows: plainRows(rows) }] }),
  };
  for (const [fileName, bytes] of Object.entries(files)) {
    const source = pieceSource(bytes.length, 10_007, async (seq) => bytes.subarray(seq * 10_007, (seq + 1) * 10_007));
    const parsed = await parse(source, { fileName });
    assert.ok(parsed.ok, fileName);
    assert.equal(parsed.validCount, fileName === 'list.csv' ? 5_000 : 3_000);
  }
});

test('a chosen reading is followed', async () => {
  const rows = ['a,09171111111,09172222222', 'b,09173333333,09174444444'];
  const found: string[] = [];
  const parsed = await parse(rows.join('\n'), {
    reading: { hasHeader: true, phoneColumn: 2 },
    onBlock: ({ bytes }) => void found.push(...decodeBlock(bytes).map(({ msisdn }) => msisdn)),
  });
  assert.ok(parsed.ok);
  assert.deepEqual(found, ['639174444444']);
});

test('a bad file is a value, and nothing of it is left running', async () => {
  let pid = 0;
  const parsed = await parse('name\nJuan\n', { onStart: (started) => (pid = started) });
  assert.deepEqual(parsed, { ok: false, problem: { code: 'FILE_NO_PHONE_COLUMN', params: {} } });
  assert.equal(isRunning(pid), false);
});

test('a slow receiver makes the parser wait, and gets everything', async () => {
  let storing = 0;
  let reads = 0;
  const source = bufferSource(big);
  const counted: ChunkSource = {
    size: source.size,
    read(offset, length) {
      reads += 1;
      return source.read(offset, length);
    },
  };
  const release = Promise.withResolvers<void>();
  let blocks = 0;
  const working = parse(counted, {
    onBlock: async () => {
      storing += 1;
      assert.equal(storing, 1, 'one block at a time');
      blocks += 1;
      if (blocks === 1) await release.promise;
      storing -= 1;
    },
  });
  while (blocks === 0) await delay(10);
  const readsThen = reads;
  await delay(400);
  assert.ok(reads <= readsThen + 1 && reads < 6, `${reads} of 8 pieces read while the first block waits`);
  release.resolve();
  const parsed = await working;
  assert.ok(parsed.ok);
  assert.equal(blocks, 150);
});

test('killed externally midway, it reports so and can parse again to the same rows', async () => {
  const whole: string[] = [];
  await parse(big, { onBlock: ({ bytes }) => void whole.push(bytes.toString('base64')) });
  for (const killAt of [1, 75, 149]) {
    let pid = 0;
    const parsed = await parse(big, {
      onStart: (started) => (pid = started),
      onBlock: ({ seq }) => void (seq === killAt && process.kill(pid, 'SIGKILL')),
    });
    // Data already in the pipe may still have contained the end.
    if (!parsed.ok) assert.deepEqual(parsed.problem, { code: 'FILE_PARSER_STOPPED', params: {} });
    assert.ok(killAt === 149 || !parsed.ok);
    assert.equal(isRunning(pid), false);
    const again: string[] = [];
    assert.ok((await parse(big, { onBlock: ({ bytes }) => void again.push(bytes.toString('base64')) })).ok);
    assert.deepEqual(again, whole);
  }
});

test('an error of the source or the store is rethrown unchanged, and the parser has exited', async () => {
  let pid = 0;
  const onStart = (started: number) => (pid = started);
  const broken: ChunkSource = { size: 1_000, read: () => Promise.reject(new Error('database away')) };
  await assert.rejects(parse(broken, { onStart }), /database away/);
  assert.equal(isRunning(pid), false);
  const onBlock = () => Promise.reject(new Error('disk full'));
  await assert.rejects(parse(big, { onStart, onBlock }), /disk full/);
  assert.equal(isRunning(pid), false);
});

test('stops when the signal aborts', async () => {
  const controller = new AbortController();
  let pid = 0;
  const working = parse(big, {
    signal: controller.signal,
    onStart: (started) => (pid = started),
    onBlock: () => controller.abort(new Error('no longer wanted')),
  });
  await assert.rejects(working, /no longer wanted/);
  assert.equal(isRunning(pid), false);
  await assert.rejects(parse(csv, { signal: AbortSignal.abort(new Error('before')) }), /before/);
});

test('S36 is killed at its time limit, busy or waiting', async () => {
  const never: ChunkSource = { size: 1_000, read: () => new Promise(() => undefined) };
  for (const source of [never, big]) {
    let pid = 0;
    const watch = startStopwatch();
    const parsed = await parse(source, {
      limits: { timeoutMs: 500 },
      onStart: (id) => (pid = id),
      onBlock: () => delay(50),
    });
    assert.deepEqual(parsed, { ok: false, problem: { code: 'FILE_TIMEOUT', params: {} } });
    watch.assertWithin(5_000, 'the kill');
    assert.equal(isRunning(pid), false);
  }
});

test('S36 is killed at its memory limit, resident or heap', async () => {
  const resident = await parse(big, { limits: { maxRssBytes: 30 * 1024 * 1024 }, onBlock: () => delay(50) });
  assert.deepEqual(resident, { ok: false, problem: { code: 'FILE_MEMORY', params: {} } });
  const rows = Array.from({ length: 40_000 }, (_, index) => testRecipient(index));
  let errorOutput = '';
  const heap = await parse(makeLargeXls(rows), {
    fileName: 'list.xls',
    limits: { xlsHeapMb: 20 },
    onErrorOutput: (text) => (errorOutput = text),
  });
  assert.deepEqual(heap, { ok: false, problem: { code: 'FILE_MEMORY', params: {} } });
  assert.match(errorOutput, /heap/);
});

test('the parser exits when its parent is killed, also while it waits for a response', async (t) => {
  const program = `
    import { parseFile } from ${JSON.stringify(new URL('./parse-file.ts', import.meta.url).href)};
    await parseFile({
      fileName: 'list.csv',
      source: { size: 1000, read: () => new Promise(() => setTimeout(() => undefined, 60_000)) },
      onBlock() {}, onRejects() {},
      onStart: (pid) => console.log(pid),
    });`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => parent.kill('SIGKILL'));
  const [line] = await once(parent.stdout, 'data');
  const pid = Number(String(line));
  assert.ok(isRunning(pid));
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await untilGone(pid);
});

test('the parser exits when its parent is killed while its main thread is blocked', async (t) => {
  const watchdog = new URL('./parser-watchdog.ts', import.meta.url).href;
  const stuck = `
    import { Worker } from 'node:worker_threads';
    new Worker(new URL(${JSON.stringify(watchdog)}), { workerData: { parentPid: process.ppid, maxRssBytes: 1e10 }, execArgv: [] });
    setTimeout(() => { console.log(process.pid); for (;;); }, 300);`;
  const program = `
    import { spawn } from 'node:child_process';
    spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(stuck)}], { stdio: ['ignore', 'inherit', 'inherit'] });
    setInterval(() => undefined, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => parent.kill('SIGKILL'));
  const [line] = await once(parent.stdout, 'data');
  const pid = Number(String(line));
  t.after(() => isRunning(pid) && process.kill(pid, 'SIGKILL'));
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await untilGone(pid);
});

test('S36 the parser has no environment and may not write, start programs or read outside the code', async (t) => {
  const status = '/proc/self/environ';
  if (!existsSync(status)) return t.skip('no /proc on this system');
  const { readFile } = await import('node:fs/promises');
  let environ = 'not read';
  let command = '';
  process.env.PAHATID_TEST_SECRET = 'canary';
  t.after(() => delete process.env.PAHATID_TEST_SECRET);
  let pid = 0;
  // Of a size that it is still at work, or waits, when its first block is here.
  const parsed = await parse(big, {
    onStart: (started) => (pid = started),
    onBlock: async ({ seq }) => {
      if (seq > 0) return;
      environ = await readFile(`/proc/${pid}/environ`, 'utf8');
      command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
    },
  });
  assert.ok(parsed.ok);
  assert.equal(environ, '');
  assert.match(command, /--permission/);
  assert.doesNotMatch(command, /--allow-(?:fs-write|child-process|addons|wasi)/);
  assert.ok(command.includes(`--allow-fs-read=${fileURLToPath(new URL('../../../../', import.meta.url))}`));
});
