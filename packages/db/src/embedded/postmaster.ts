import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { dataArgument, POSTGRES_ENV } from './cluster.ts';
import type { Layout } from './layout.ts';
import { PostmasterError } from './postmaster-error.ts';
import { inspectProcess, signalProcess, waitUntilEnded } from './processes.ts';
import type { User } from './unprivileged.ts';

const READY_TIMEOUT_MS = 120_000;
/**
 * A fast shutdown writes a checkpoint; after this time the server is stopped immediately and recovers at the next
 * start.
 */
const FAST_STOP_MS = 8000;
const LOG_LIMIT_BYTES = 16 * 1024 * 1024;
/** No system gives a process this number, so PostgreSQL takes a pid file that names it for a left-over. */
const NO_SUCH_PID = 99_999_999;
const EMPTY_FOR_MS = 2_000;

export interface PidFile {
  readonly pid: number;
  readonly port: number;
  /** `starting`, `ready`, `stopping`, or '' while the file is being written. */
  readonly status: string;
}

/** Lines of postmaster.pid: pid, data folder, start, port, socket folder, address, shared memory, status. */
function readPidFile(layout: Layout): PidFile | null {
  try {
    const lines = readFileSync(layout.pidFile, 'utf8').split('\n');
    const pid = Number(lines[0]);
    if (!Number.isSafeInteger(pid) || pid <= 0) return null;
    return { pid, port: Number(lines[3] ?? 0), status: (lines[7] ?? '').trim() };
  } catch {
    return null;
  }
}

/** The postmaster of this very folder, if one runs. Its command line names the folder: a reused pid does not. */
export function findPostmaster(layout: Layout): PidFile | null {
  const file = readPidFile(layout);
  if (file === null) return null;
  return inspectProcess(file.pid)?.commandLine.includes(folderMark(layout)) ? file : null;
}

const folderMark = (layout: Layout): string => `pahatid.folder=${layout.cluster}`;

/**
 * PostgreSQL clears a dead postmaster's file itself, but refuses to start while the number in it responds to `kill 0`:
 * a zombie, or an unrelated process that was given the number. Only the number is overwritten, since PostgreSQL uses
 * the rest to check whether orphaned backends still hold the shared memory.
 */
export function disarmPidFile(layout: Layout): void {
  const file = readPidFile(layout);
  if (file === null || findPostmaster(layout) !== null) return;
  const [, ...rest] = readFileSync(layout.pidFile, 'utf8').split('\n');
  // In place: truncated first, it would stay empty if another process takes the last disk space meanwhile.
  const open = openSync(layout.pidFile, 'r+');
  try {
    ftruncateSync(open, writeSync(open, [String(NO_SUCH_PID), ...rest].join('\n'), 0));
  } finally {
    closeSync(open);
  }
}

/**
 * Removes an empty pid file, which PostgreSQL refuses forever: it may belong to another server that is just starting.
 * Here no other process starts one (`start.lock`), and one that wrote nothing for this long has died.
 */
export function dropEmptyPidFile(layout: Layout): void {
  const stat = statSync(layout.pidFile, { throwIfNoEntry: false });
  if (stat?.size === 0 && Date.now() - stat.mtimeMs > EMPTY_FOR_MS) rmSync(layout.pidFile);
}

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly watchdog: string;
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Resolves when the server reports that it accepts connections. The server ends with this process, however it ends: see
 * `startWatchdog`.
 */
export async function startPostmaster(
  layout: Layout,
  binaries: Binaries,
  user: User | null,
  wantedPort: number | null,
  settings: Readonly<Record<string, string>>,
  readyTimeoutMs = READY_TIMEOUT_MS,
): Promise<Postmaster> {
  const port = await freePort(wantedPort);
  if (existsSync(layout.log) && statSync(layout.log).size > LOG_LIMIT_BYTES) renameSync(layout.log, `${layout.log}.1`);
  const log = openSync(layout.log, 'a', 0o600);
  const logStart = statSync(layout.log).size;
  const options = { port: String(port), 'pahatid.folder': layout.cluster, ...settings };
  const child = spawn(
    binaries.postgres,
    ['-D', dataArgument(layout.cluster, user), ...Object.entries(options).flatMap(([k, v]) => ['-c', `${k}=${v}`])],
    {
      cwd: layout.cluster,
      env: POSTGRES_ENV,
      // Separate process group: a Ctrl-C meant for us must not stop the database before its users.
      detached: true,
      stdio: ['ignore', log, log],
      ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
    },
  );
  closeSync(log);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()));
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${binaries.postgres} could not be run`);
  const watchdog = startWatchdog(pid, user);
  child.unref();
  try {
    await waitUntilReady(layout, child, readyTimeoutMs);
  } catch {
    dismissWatchdog(watchdog);
    const said = readFileSync(layout.log).subarray(logStart).toString();
    throw new PostmasterError(said.slice(-4000));
  }
  return {
    pid,
    port,
    watchdog: inspectProcess(watchdog.pid ?? 0)?.identity ?? '',
    exited: exited.then(() => dismissWatchdog(watchdog)),
    async stop() {
      await stopPostmaster(pid);
      dismissWatchdog(watchdog);
    },
  };
}

export async function stopPostmaster(pid: number): Promise<void> {
  signalProcess(pid, 'SIGINT');
  if (await waitUntilEnded(pid, FAST_STOP_MS)) return;
  signalProcess(pid, 'SIGQUIT');
  if (!(await waitUntilEnded(pid, FAST_STOP_MS))) throw new Error(`PostgreSQL (pid ${pid}) does not stop`);
}

async function waitUntilReady(layout: Layout, child: ChildProcess, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('exited');
    const file = readPidFile(layout);
    if (file !== null && file.pid === child.pid && file.status === 'ready') return;
    await sleep(10);
  }
  if (child.pid !== undefined) await stopPostmaster(child.pid);
  throw new Error('not ready in time');
}

/**
 * Waits on a pipe from us that closes when we end, even by SIGKILL, then stops the postmaster: fast, and after 8 s
 * immediately. Data on the pipe makes it exit.
 */
const WATCHDOG = `
trap '' INT TERM HUP
read -r word
[ "$word" = home ] && exit 0
kill -INT "$1" 2>/dev/null || exit 0
tries=0
while [ $tries -lt 120 ] && kill -0 "$1" 2>/dev/null; do
  tries=$((tries + 1))
  [ $tries -eq 80 ] && kill -QUIT "$1" 2>/dev/null
  sleep 0.1
done
`;

function startWatchdog(postmasterPid: number, user: User | null): ChildProcess {
  const watchdog = spawn('/bin/sh', ['-c', WATCHDOG, 'pahatid-postgres-watchdog', String(postmasterPid)], {
    cwd: '/',
    env: POSTGRES_ENV,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
  });
  watchdog.on('error', () => {});
  // It may be killed before it is sent home.
  watchdog.stdin?.on('error', () => {});
  watchdog.unref();
  (watchdog.stdin as Socket | null)?.unref();
  return watchdog;
}

function dismissWatchdog(watchdog: ChildProcess): void {
  if (watchdog.stdin !== null && !watchdog.stdin.writableEnded) watchdog.stdin.end('home\n');
}

/** The wanted port if it is free (connections find the database again after a restart), else any. */
async function freePort(wanted: number | null): Promise<number> {
  return (wanted === null ? null : await tryPort(wanted)) ?? (await tryPort(0)) ?? Promise.reject(new Error('no port'));
}

function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      const bound = address !== null && typeof address === 'object' ? address.port : null;
      server.close(() => resolve(bound));
    });
  });
}
