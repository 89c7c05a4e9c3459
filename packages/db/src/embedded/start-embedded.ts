/**
 * The embedded PostgreSQL: one cluster in the data folder, run from the binaries of an npm package.
 *
 * States of a data folder that a start may find: empty; incomplete (initdb was killed); stopped; crashed (the pid file
 * remains); running with a live owner (adopted: the other process remains its owner and alone stops it); running with a
 * dead owner (its watchdog is stopping it; waited for, or stopped here if the watchdog was killed too).
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeClient } from '../connect.ts';
import { dropTemporary, prepareBinaries } from './binaries.ts';
import { ensureCluster, readPassword, SUPERUSER } from './cluster.ts';
import { withFileLock } from './file-lock.ts';
import { type Layout, makeLayout } from './layout.ts';
import {
  disarmPidFile,
  dropEmptyPidFile,
  findPostmaster,
  type Postmaster,
  startPostmaster,
  stopPostmaster,
} from './postmaster.ts';
import { PostmasterError } from './postmaster-error.ts';
import { inspectProcess, isAlive, waitUntilEnded } from './processes.ts';
import { listSettings } from './settings.ts';
import { userForPostgres } from './unprivileged.ts';

export interface EmbeddedOptions {
  readonly dataDir: string;
  /** For tests: no fsync, small buffers. A power cut may spoil the cluster. */
  readonly fast?: boolean;
  /** Database to create and connect to. */
  readonly database?: string;
  readonly passwdFile?: string;
}

export interface Embedded {
  /** With the password in it: not for logs. */
  readonly url: string;
  readonly pid: number;
  readonly port: number;
  /** True when another process owns the database; `stop` then does nothing. */
  readonly adopted: boolean;
  /** Resolves when the database has ended, regardless of which process stopped or killed it. */
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

const LOCK_TIMEOUT_MS = 150_000;
/** Longer than the watchdog takes to stop a database whose owner died. */
const ORPHAN_STOP_MS = 13_000;
const START_ATTEMPTS = 20;

interface Owner {
  /** Identities, as `inspectProcess` gives them. */
  readonly process: string;
  readonly watchdog: string;
  readonly port: number;
}

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const layout = makeLayout(options.dataDir);
  mkdirSync(layout.root, { recursive: true, mode: 0o700 });
  return withFileLock(layout.lock, LOCK_TIMEOUT_MS, async () => {
    const database = options.database ?? 'pahatid';
    const running = findPostmaster(layout);
    if (running !== null) {
      const adopted = await adoptIfOwned(layout, running.pid, database);
      if (adopted !== null) return adopted;
    }
    const embedded = await start(layout, options, database);
    await ensureDatabase(embedded.url);
    return embedded;
  });
}

async function adoptIfOwned(layout: Layout, pid: number, database: string): Promise<Embedded | null> {
  const owner = readOwner(layout);
  const deadline = performance.now() + ORPHAN_STOP_MS;
  while (performance.now() < deadline) {
    const running = findPostmaster(layout);
    if (running === null) return null;
    const owned = owner !== null && isAlive(owner.process);
    if (!owned && !(owner !== null && isAlive(owner.watchdog))) break;
    if (owned && running.status === 'ready') {
      const url = urlOf(layout, running.port, database);
      const exited = watchUntilGone(running.pid);
      await ensureDatabase(url);
      return { url, pid: running.pid, port: running.port, adopted: true, exited, stop: async () => {} };
    }
    await sleep(50);
  }
  await stopPostmaster(pid);
  return null;
}

async function start(layout: Layout, options: EmbeddedOptions, database: string): Promise<Embedded> {
  const fast = options.fast ?? false;
  const user = userForPostgres(layout.cluster, options.passwdFile ?? '/etc/passwd');
  const binaries = prepareBinaries(user, layout.binaries, layout.temporaryBinaries);
  await ensureCluster(layout, binaries, user, fast);
  const password = readPassword(layout);
  const settings = listSettings(binaries, fast);

  const previousPort = readOwner(layout)?.port ?? null;
  let postmaster: Postmaster | null = null;
  for (let attempt = 1; postmaster === null; attempt++) {
    disarmPidFile(layout);
    dropEmptyPidFile(layout);
    try {
      postmaster = await startPostmaster(layout, binaries, user, previousPort, settings);
    } catch (error) {
      const passing = error instanceof PostmasterError && isPassing(error.message);
      if (!passing || attempt >= START_ATTEMPTS) throw error;
      await sleep(250);
    }
  }
  const { pid, port, watchdog, exited } = postmaster;
  const owner: Owner = { process: inspectProcess(process.pid)?.identity ?? '', watchdog, port };
  writeFileSync(layout.owner, `${JSON.stringify(owner)}\n`, { mode: 0o600 });
  let stopping: Promise<void> | null = null;
  const stopOnce = async (running: Postmaster): Promise<void> => {
    await running.stop();
    dropTemporary(binaries, layout.temporaryBinaries);
  };
  const started = postmaster;
  return {
    url: urlWith(password, port, database),
    pid,
    port,
    adopted: false,
    exited,
    stop: () => {
      stopping ??= stopOnce(started);
      return stopping;
    },
  };
}

/** Orphaned backends of a killed postmaster still hold the memory for a moment; a port may be taken under our hand. */
const isPassing = (said: string): boolean =>
  /shared memory block .* still in use|could not bind|could not create any TCP\/IP sockets|lock file .* (already exists|is empty)/.test(
    said,
  );

function readOwner(layout: Layout): Owner | null {
  try {
    return JSON.parse(readFileSync(layout.owner, 'utf8')) as Owner;
  } catch {
    return null;
  }
}

const urlOf = (layout: Layout, port: number, database: string): string => urlWith(readPassword(layout), port, database);

/** `sslmode` is set explicitly, so that a PGSSLMODE in the user's environment does not affect it. */
export const urlWith = (password: string, port: number, database: string): string =>
  `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;

async function watchUntilGone(pid: number): Promise<void> {
  while (inspectProcess(pid) !== null) await sleep(500, undefined, { ref: false });
}

async function ensureDatabase(url: string): Promise<void> {
  const target = new URL(url);
  const name = target.pathname.slice(1);
  target.pathname = '/postgres';
  const client = makeClient({ url: target.href, applicationName: 'pahatid start' });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } catch (error) {
    // Made by another process between the two statements.
    if ((error as { code?: string }).code !== '42P04') throw error;
  } finally {
    await client.end();
  }
}

/**
 * Stops any server running in the data folder, owned or not, and removes the folder. For tests and `pahatid` clean-ups.
 */
export async function removeEmbedded(dataDir: string): Promise<void> {
  const layout = makeLayout(dataDir);
  const running = findPostmaster(layout);
  if (running !== null) {
    await stopPostmaster(running.pid);
    await waitUntilEnded(running.pid, 1000);
  }
  rmSync(layout.root, { recursive: true, force: true });
}
