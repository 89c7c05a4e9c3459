/**
 * Every check and test, or those whose path (or check's name) holds one of the words given; with `--changed` every check,
 * and the tests that what has changed can reach (changed-tests.ts). One PostgreSQL for the run,
 * as many test files at a time as there is room for (test-plan.ts). The last line is `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { EventData } from 'node:test';
import { run } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { removeEmbedded, startEmbedded } from '../packages/db/src/embedded/index.ts';
import { changedFiles, reachedTests, readSources } from './changed-tests.ts';
import { runChecks } from './checks.ts';
import { IdleShare } from './idle-share.ts';
import { listSlowest, readCosts } from './slowest-files.ts';
import { CHECKS, CONSOLE_BUILD, chooseNext, inBatches, inOrder, needsNoConsole, spareRoom } from './test-plan.ts';

const root = path.join(import.meta.dirname, '..');
/** For each file, and for each test in it that sets no other: ten times the longest duration on two idle cores. */
const FILE_TIMEOUT_MS = 20 * 60_000;
/** Longer than the watchdog of a database takes to stop it. */
const LEFTOVER_GRACE_MS = 30_000;
const REMOVAL_MS = 60_000;
const LONGEST_NOISE = 8000;
/** A file that has just begun is seen at work. */
const IDLE_LOOK_MS = 3_000;
const MEMORY_FOLDER = '/dev/shm';
/** Twice what the cluster and the folders of the programs use at their peak. */
const MEMORY_BYTES = 6 * 2 ** 30;
const TEST_COST = path.join(import.meta.dirname, 'test-cost.ts');
const TEST_BATCH = path.join(import.meta.dirname, 'test-batch.ts');

const CHANGED = '--changed';
const words = process.argv.slice(2).filter((word) => word !== CHANGED);
const isOnlyChanged = process.argv.includes(CHANGED);
const passed: string[] = [];
const failed: { name: string; detail: string }[] = [];
const skipped: string[] = [];
/** Of each file: how long it took, with others running. */
const wallMs = new Map<string, number>();
/** Of each file: processor time of its process and of the programs it waited for. */
const cpuMs = new Map<string, number>();
const runMark = randomUUID();
const startedAt = performance.now();

const files = testFiles();

/** Starts files as there is room next to the running ones, next to the checks and the build of the console. */
async function runAll(): Promise<void> {
  const batches = new Map(inBatches(files).map((batch) => [batch[0] ?? '', batch]));
  const waiting = inOrder([...batches.keys()], batches);
  const withoutConsole = new Set(waiting.filter((first) => batches.get(first)?.every(needsNoConsole)));
  const running = new Map<string, Promise<void>>();
  const cores = os.availableParallelism();
  const idle = new IdleShare();
  let spare = 0;
  const begin = (name: string, work: Promise<void>): void => {
    running.set(
      name,
      work.finally(() => running.delete(name)),
    );
  };
  begin(CHECKS, check());
  if (files.some((file) => file.startsWith('e2e/'))) begin(CONSOLE_BUILD, buildConsole());
  while (waiting.length + running.size > 0) {
    const ready = running.has(CONSOLE_BUILD) ? waiting.filter((first) => withoutConsole.has(first)) : waiting;
    const next = chooseNext(ready, running.keys(), cores, spare);
    if (next === undefined) {
      const looking = new AbortController();
      const look = sleep(IDLE_LOOK_MS, true, { signal: looking.signal }).catch(() => false);
      if ((await Promise.race([look, ...running.values()])) === true) spare = spareRoom(idle.take());
      looking.abort();
      continue;
    }
    waiting.splice(waiting.indexOf(next), 1);
    begin(next, runFiles(batches.get(next) ?? [next]));
  }
}

/** One after another: each takes a processor, and much memory. */
const check = (): Promise<void> =>
  runChecks(
    words,
    ({ name, problems, ms }) => {
      console.log(`${problems === '' ? 'ok   ' : 'FAILS'} check: ${name} (${ms} ms)`);
      if (problems === '') passed.push(`check: ${name}`);
      else failed.push({ name: `check: ${name}`, detail: problems });
    },
    1,
  );

function testFiles(): string[] {
  const found: string[] = [];
  for (const folder of ['packages', 'apps', 'scripts', 'bench', 'e2e']) {
    for (const entry of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const file = path.posix.join(folder, entry.replaceAll(path.sep, '/'));
      if (file.endsWith('.test.ts') && !/(^|\/)(node_modules|dist)\//.test(file)) found.push(file);
    }
  }
  const wanted = isOnlyChanged ? reachedFiles(found.length) : null;
  return found
    .filter((file) => wanted?.has(file) ?? true)
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
    .sort();
}

/** Says what has changed, and which decisions were no imports. */
function reachedFiles(all: number): ReadonlySet<string> {
  const { base, files: changed } = changedFiles(root);
  const { tests, notes } = reachedTests(changed, readSources(root));
  const since = base === 'HEAD' ? 'the last commit' : base.slice(0, 12);
  console.log(`${changed.length} files have changed since ${since}; ${tests.length} of ${all} test files are reached`);
  for (const line of notes) console.log(`  ${line}`);
  return new Set(tests);
}

/**
 * All machine state of the run is in two folders, which are deleted at the end however the run ends: the cluster, and
 * the temporary folder of every test. Your own server (PAHATID_TEST_URL) is used as it is.
 */
async function withCluster(work: () => Promise<void>): Promise<void> {
  const fast = fastFolder();
  const folder = mkdtempSync(path.join(fast, 'pahatid-test-'));
  const clusterFolder = mkdtempSync(path.join(fast, 'pahatid-cluster-'));
  const temporary = path.join(folder, 'tmp');
  mkdirSync(temporary);
  // Tests that run as another user pass through.
  chmodSync(folder, 0o755);
  chmodSync(clusterFolder, 0o755);
  chmodSync(temporary, 0o1777);
  process.env.TMPDIR = temporary;
  process.env.PAHATID_TEST_RUN = runMark;
  // Hundreds of processes of the same few programs: each is compiled once.
  process.env.NODE_COMPILE_CACHE = path.join(folder, 'compiled');
  const costs = path.join(folder, 'costs');
  process.env.PAHATID_TEST_COSTS = costs;
  const ownServer = Boolean(process.env.PAHATID_TEST_URL);
  const embedded = ownServer ? null : await startEmbedded({ dataDir: clusterFolder, fast: true, database: 'postgres' });
  if (embedded !== null) process.env.PAHATID_TEST_PG = embedded.url;
  let cleaning: Promise<void> | null = null;
  const cleanUp = (): Promise<void> => {
    cleaning ??= (async () => {
      await embedded?.stop();
      for (const each of [clusterFolder, folder])
        await removeWhenQuiet(each).catch((error: unknown) =>
          failed.push({ name: 'temporary files are removed', detail: inspect(error) }),
        );
    })();
    return cleaning;
  };
  const interrupt = async (): Promise<void> => {
    killAll(leftovers());
    await cleanUp();
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void interrupt());
  process.once('disconnect', () => void interrupt());
  process.channel?.unref();
  try {
    await work();
    await endLeftovers();
    for (const [file, ms] of readCosts(costs)) cpuMs.set(nameOf(file), (cpuMs.get(nameOf(file)) ?? 0) + ms);
  } finally {
    await cleanUp();
  }
}

/**
 * In memory if there is plenty: hundreds of databases of 830 files each are created and dropped, and ext4 spends a quarter
 * of the time on finding inodes for them. So are the folders of the programs under test: what a killed process has written
 * stays there as it does on a disk, and what a power cut leaves is shown on a disk of the test's own.
 */
function fastFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    const isRoomy = bavail * bsize >= MEMORY_BYTES && process.availableMemory() >= MEMORY_BYTES * 2;
    accessSync(MEMORY_FOLDER, constants.W_OK | constants.X_OK);
    if (isRoomy && !readFileSync('/proc/mounts', 'utf8').match(/^\S+ \/dev\/shm \S+ \S*noexec/m)) return MEMORY_FOLDER;
  } catch {
    // Not this system's.
  }
  return os.tmpdir();
}

/** A database whose program was just killed is still being stopped by its watchdog, and writes until then. */
async function removeWhenQuiet(folder: string): Promise<void> {
  for (const deadline = performance.now() + REMOVAL_MS; ; ) {
    try {
      await removeEmbedded(folder);
      rmSync(folder, { recursive: true, force: true });
      if (!existsSync(folder)) return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await sleep(200);
  }
}

async function buildConsole(): Promise<void> {
  const script = `import(${JSON.stringify(path.join(root, 'scripts/build-console.mjs'))}).then((m) => m.buildConsole())`;
  const [status] = await once(spawn(process.execPath, ['-e', script], { cwd: root, stdio: 'inherit' }), 'exit');
  if (status !== 0) failed.push({ name: 'build of the console', detail: 'it failed, see above' });
}

/** Runs one file as a program, several as a batch in one program. */
async function runFiles(together: readonly string[]): Promise<void> {
  const paths = together.map((file) => path.join(root, file));
  const [first = ''] = paths;
  const isBatch = paths.length > 1;
  const begunAt = performance.now();
  const stream = run({
    files: [isBatch ? TEST_BATCH : first],
    argv: isBatch ? paths : [],
    concurrency: 1,
    isolation: 'process',
    timeout: FILE_TIMEOUT_MS,
    cwd: root,
    execArgv: ['--import', TEST_COST],
  });
  const counts = new Map(paths.map((file) => [file, { passed: 0, failed: 0, skipped: 0 }]));
  let noise = '';
  for await (const { type, data } of stream) {
    if (type === 'test:pass') pass(data, counts);
    else if (type === 'test:fail') fail(data, counts, noise);
    else if (type === 'test:stderr' || type === 'test:stdout') noise = `${noise}${data.message}`.slice(-LONGEST_NOISE);
    if (isBatch && (type === 'test:pass' || type === 'test:fail') && isFile(data.name))
      wallMs.set(nameOf(data.name), data.details.duration_ms);
  }
  if (!isBatch) wallMs.set(nameOf(first), performance.now() - begunAt);
  for (const [file, ofFile] of counts) summarise(nameOf(file), ofFile);
  if ([...counts.values()].some((each) => each.failed > 0)) process.stdout.write(noise);
}

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

function summarise(file: string, { passed: good, failed: bad, skipped: left }: Counts): void {
  const duration = wallMs.get(file);
  if (duration === undefined) {
    console.log(`FAILS ${file}: its process ended before it did`);
    return;
  }
  const extra = left > 0 ? `, ${left} skipped` : '';
  const ms = Math.round(duration);
  console.log(`${bad === 0 ? 'ok   ' : 'FAILS'} ${file}: ${good} of ${good + bad + left} passed${extra} (${ms} ms)`);
}

function pass(data: EventData.TestPass, counts: ReadonlyMap<string, Counts>): void {
  if (isGroup(data)) return;
  const name = fullName(data);
  const isSkipped = data.skip !== undefined && data.skip !== false;
  if (isSkipped) skipped.push(`${name}: ${data.skip}`);
  else passed.push(name);
  const ofFile = countsOf(data, counts);
  if (ofFile !== undefined) ofFile[isSkipped ? 'skipped' : 'passed'] += 1;
}

/** A test may be defined by a file that a test file imports. */
const countsOf = (data: EventData.TestPass | EventData.TestFail, counts: ReadonlyMap<string, Counts>) =>
  counts.get(data.file ?? '') ?? (counts.size === 1 ? [...counts.values()][0] : undefined);

function fail(data: EventData.TestFail, counts: ReadonlyMap<string, Counts>, noise: string): void {
  // A group that fails because of its contents is reported by those.
  const error: Error & { failureType?: string } = data.details.error;
  if (error.failureType === 'subtestsFailed') return;
  const detail = inspect(error.cause ?? error, { depth: 4 });
  // A file that fails as a whole (it could not be loaded, it exited) prints the reason on exit.
  failed.push({ name: fullName(data), detail: `${isFile(data.name) ? noise : ''}${detail}` });
  const ofFile = isFile(data.name) ? counts.get(data.name) : countsOf(data, counts);
  if (ofFile !== undefined) ofFile.failed += 1;
}

const isGroup = (data: EventData.TestPass): boolean => data.details.type === 'suite' || isFile(data.name);

/** The file itself is reported as a test around the others. */
const isFile = (name: string): boolean => path.isAbsolute(name) && (name.endsWith('.test.ts') || name === TEST_BATCH);

const nameOf = (file: string): string => path.relative(root, file);

function fullName(data: EventData.TestPass | EventData.TestFail): string {
  if (isFile(data.name)) return nameOf(data.name);
  return data.file === undefined ? data.name : `${nameOf(data.file)}: ${data.name}`;
}

/** Programs that a test started and did not end are ended, and count as a failure: they would pile up. */
async function endLeftovers(): Promise<void> {
  const deadline = performance.now() + LEFTOVER_GRACE_MS;
  while (leftovers().length > 0 && performance.now() < deadline) await sleep(100);
  const left = leftovers();
  killAll(left);
  if (left.length > 0) {
    const detail = left.map(({ pid, line }) => `${pid} ${line}`).join('\n');
    failed.push({ name: 'no process outlives its test', detail });
  }
}

function killAll(processes: readonly { pid: number }[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Deleted meanwhile.
    }
  }
}

function leftovers(): { pid: number; line: string }[] {
  if (process.platform !== 'linux') return [];
  const found: { pid: number; line: string }[] = [];
  for (const pid of readdirSync('/proc').map(Number)) {
    if (!(pid > 0) || pid === process.pid) continue;
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`PAHATID_TEST_RUN=${runMark}`)) continue;
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      // A zombie has no command line.
      if (line !== '') found.push({ pid, line });
    } catch {
      // Deleted, or not accessible to us.
    }
  }
  return found;
}

function report(): void {
  for (const line of listSlowest(wallMs, cpuMs)) console.log(line);
  for (const { name, detail } of failed) console.log(`\n✖ ${name}\n${detail.replace(/^/gm, '    ')}`);
  if (skipped.length > 0) console.log(`\nSkipped here:\n${skipped.map((line) => `  ${line}`).join('\n')}`);
  if (passed.length + failed.length === 0) failed.push({ name: 'something to run', detail: '' });
  console.log(`\n${Math.round((performance.now() - startedAt) / 1000)} s`);
  console.log(`${passed.length} passed, ${failed.length} failed`);
  process.exit(failed.length === 0 ? 0 : 1);
}

if (files.length > 0) await withCluster(runAll);
else await check();
report();
