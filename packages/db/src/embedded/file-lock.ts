import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectProcess } from './processes.ts';

interface Holder {
  readonly pid: number;
  readonly identity: string;
}

/**
 * Runs `work` while no other process holds the lock file. The file names its holder, so that a lock left behind by a
 * killed process is taken over immediately (Node has no flock).
 */
export async function withFileLock<T>(file: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  mkdirSync(path.dirname(file), { recursive: true });
  const mine: Holder = { pid: process.pid, identity: inspectProcess(process.pid)?.identity ?? '' };
  const content = `${JSON.stringify({ ...mine, nonce: crypto.randomUUID() })}\n`;
  const deadline = performance.now() + timeoutMs;
  while (!take(file, content)) {
    dropStale(file);
    if (performance.now() > deadline) throw new Error(`another process holds ${file}`);
    await sleep(25);
  }
  try {
    return await work();
  } finally {
    if (read(file) === content) rmSync(file, { force: true });
  }
}

/** By link, not by writing with `wx`: the lock must never be seen without its content. */
function take(file: string, content: string): boolean {
  const draft = `${file}.${process.pid}.${crypto.randomUUID()}`;
  writeFileSync(draft, content, { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function dropStale(file: string): void {
  const content = read(file);
  if (content === null || isHeld(content)) return;
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  // Someone may have taken the lock between the reading and the renaming: it is put back.
  if (read(aside) !== content) {
    try {
      linkSync(aside, file);
    } catch {
      // A third process holds it now; the one whose lock was moved notices at the end, when it finds another's content.
    }
  }
  rmSync(aside, { force: true });
}

function isHeld(content: string): boolean {
  try {
    const holder = JSON.parse(content) as Holder;
    return inspectProcess(holder.pid)?.identity === holder.identity;
  } catch {
    return false;
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
