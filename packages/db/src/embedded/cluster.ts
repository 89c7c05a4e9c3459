import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import type { Layout } from './layout.ts';
import { PostmasterError } from './postmaster-error.ts';
import { canReach, type User } from './unprivileged.ts';

export const SUPERUSER = 'pahatid';

/**
 * Creates the cluster unless it exists. It is created as a draft and renamed when complete, so that an incomplete one
 * (process killed midway) is discarded and created again.
 */
export async function ensureCluster(
  layout: Layout,
  binaries: Binaries,
  user: User | null,
  fast: boolean,
): Promise<void> {
  await dropDrafts(layout);
  if (existsSync(layout.cluster)) return;
  if (readdirSync(layout.root).some((name) => name.startsWith(path.basename(layout.replaced))))
    throw new PostmasterError('a restore was interrupted just before its end: restore again');
  const draft = mkdtempSync(layout.draft);
  if (user !== null) chownSync(draft, user.uid, user.gid);
  const passwordFile = `${layout.password}.draft`;
  const password = randomBytes(24).toString('base64url');
  // Flushed: without it a cluster that outlived a power cut could not be opened.
  writeFileSync(passwordFile, password, { mode: 0o600, flush: true });
  if (user !== null) chownSync(passwordFile, user.uid, user.gid);
  // Passed as an open file, because its folder may be inaccessible to the user that runs initdb.
  const passwordFd = openSync(passwordFile, 'r');
  try {
    await runInitdb(draft, binaries, user, passwordFd, fast);
  } finally {
    closeSync(passwordFd);
  }
  if (user !== null) chownSync(passwordFile, 0, 0);
  renameSync(passwordFile, layout.password);
  renameSync(draft, layout.cluster);
}

/**
 * An initdb whose parent was killed may still be writing: it works in a separate draft, which is removed until it stays
 * removed (initdb fails when its folder is deleted). A draft that still exists after 5 s is left to the next start.
 */
async function dropDrafts(layout: Layout): Promise<void> {
  const prefix = path.basename(layout.draft);
  const drafts = (): string[] => readdirSync(layout.root).filter((name) => name.startsWith(prefix));
  const deadline = performance.now() + 5000;
  while (drafts().length > 0 && performance.now() < deadline) {
    for (const name of drafts())
      await rm(path.join(layout.root, name), { recursive: true, force: true }).catch(() => {});
    if (drafts().length > 0) await sleep(50);
  }
}

export function readPassword(layout: Layout): string {
  chmodSync(layout.password, 0o600);
  return readFileSync(layout.password, 'utf8');
}

/**
 * Returns the argument that passes a program its data folder. A user that can't traverse the parent folders (a checkout
 * of mode 0700) reaches it through the working directory, which is entered while we are still root.
 */
export function dataArgument(folder: string, user: User | null): string {
  return user === null || canReach(folder, user) ? folder : '/proc/self/cwd';
}

/** A clean environment: a PGHOST or PGDATA of the person at the keyboard must not steer our database. */
export const POSTGRES_ENV = { PATH: '/usr/bin:/bin', LANG: 'C', TZ: 'UTC' };

async function runInitdb(
  folder: string,
  binaries: Binaries,
  user: User | null,
  passwordFd: number,
  fast: boolean,
): Promise<void> {
  const argumentsOf = [
    `--pgdata=${dataArgument(folder, user)}`,
    `--username=${SUPERUSER}`,
    '--pwfile=/dev/fd/3',
    '--auth=scram-sha-256',
    '--data-checksums',
    '--encoding=UTF8',
    // Sorts by code point on every machine, regardless of its C library, so an index survives a new system.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    ...(fast ? ['--no-sync'] : []),
  ];
  const child = spawn(binaries.initdb, argumentsOf, {
    cwd: folder,
    env: POSTGRES_ENV,
    stdio: ['ignore', 'pipe', 'pipe', passwordFd],
    ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
  });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`initdb failed (${code}):\n${output.slice(-4000)}`);
}
