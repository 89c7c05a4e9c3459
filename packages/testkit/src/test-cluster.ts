/**
 * The PostgreSQL that tests run on. In this order: PAHATID_TEST_URL (your own server: superuser, any database),
 * PAHATID_TEST_PG (set by the test script, one cluster per run), or a cluster run by a separate process (`keeper.ts`),
 * started on demand and removed a minute after the last test, so that `node --test one-file` works alone.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectProcess, withFileLock } from '@pahatid/db/embedded';

const REPOSITORY = path.join(import.meta.dirname, '../../..');
const KEEPER_START_MS = 60_000;

export interface KeeperState {
  readonly pid: number;
  readonly identity: string;
  readonly url: string;
}

/** Returns the address of a database from which others can be created. */
export async function testClusterUrl(): Promise<string> {
  const given = process.env.PAHATID_TEST_URL ?? process.env.PAHATID_TEST_PG;
  if (given !== undefined && given !== '') return given;
  const folder = keeperFolder();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return withFileLock(path.join(folder, 'keeper.lock'), KEEPER_START_MS * 2, async () => {
    const running = readKeeper(folder);
    if (running !== null) return running.url;
    return startKeeper(folder);
  });
}

async function startKeeper(folder: string): Promise<string> {
  const keeper = spawn(process.execPath, [path.join(import.meta.dirname, 'keeper.ts'), folder], {
    detached: true,
    stdio: 'ignore',
    cwd: REPOSITORY,
  });
  keeper.unref();
  const deadline = performance.now() + KEEPER_START_MS;
  while (performance.now() < deadline) {
    const state = readKeeper(folder);
    if (state !== null) return state.url;
    if (keeper.exitCode !== null) throw new Error(`the keeper of the test database ended with ${keeper.exitCode}`);
    await sleep(20);
  }
  throw new Error('the test database did not start in time');
}

export const keeperFile = (folder: string): string => path.join(folder, 'keeper.json');

function readKeeper(folder: string): KeeperState | null {
  try {
    const state = JSON.parse(readFileSync(keeperFile(folder), 'utf8')) as KeeperState;
    return inspectProcess(state.pid)?.identity === state.identity ? state : null;
  } catch {
    return null;
  }
}

/** Below the checkout, or, if we may not write to it, in the temporary folder. */
function keeperFolder(): string {
  const user = process.getuid?.() ?? 0;
  try {
    accessSync(REPOSITORY, constants.W_OK);
    return path.join(REPOSITORY, '.cache', `test-postgres-${user}`);
  } catch {
    const mark = createHash('sha256').update(REPOSITORY).digest('hex').slice(0, 12);
    return path.join(os.tmpdir(), `pahatid-test-${user}-${mark}`);
  }
}
