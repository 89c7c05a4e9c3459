/**
 * Erasures of numbers, listed in the folder of the backups too: an earlier backup still has the numbers, and is restored
 * without the later requests. Each line is sealed with the master key. A line is on the disk before its request is
 * accepted; lines older than the oldest backup go with the next one.
 */
import { constants, readFileSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { writeDurably } from '@pahatid/db/backup';
import { withFileLock } from '@pahatid/db/embedded';
import type { Secrets } from '../secrets/secrets.ts';

const LOCK_TIMEOUT_MS = 10_000;
const toFile = (folder: string): string => path.join(folder, 'erasures');

export interface ListedErasure {
  readonly customerId: string;
  readonly msisdn: string;
  readonly askedBy: string;
  readonly at: string;
}

export async function listErasure(
  folder: string,
  secrets: Pick<Secrets, 'seal'>,
  erasure: ListedErasure,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const line = `${secrets.seal('erased-number', JSON.stringify(erasure))}\n`;
  const file = toFile(folder);
  await withFileLock(`${file}.lock`, LOCK_TIMEOUT_MS, async () => {
    const handle = await open(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600);
    try {
      // What a power cut left of another line must not take this one with it.
      await handle.writeFile(`\n${line}`);
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

/** `unreadable`: lines that were cut short, or sealed with another key. */
export function readErasures(
  folder: string,
  secrets: Pick<Secrets, 'open'>,
): { erasures: ListedErasure[]; unreadable: number } {
  const erasures: ListedErasure[] = [];
  let unreadable = 0;
  for (const line of readLines(folder)) {
    const erasure = openLine(line, secrets);
    if (erasure === null) unreadable += 1;
    else erasures.push(erasure);
  }
  return { erasures, unreadable };
}

function openLine(line: string, secrets: Pick<Secrets, 'open'>): ListedErasure | null {
  try {
    return JSON.parse(secrets.open('erased-number', line)) as ListedErasure;
  } catch {
    return null;
  }
}

function readLines(folder: string): string[] {
  try {
    return readFileSync(toFile(folder), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Removes the erasures from before `before`, the beginning of the oldest backup that stays: each backup that stays has them, so
 * no restore repeats them. Lines of another master key stay.
 */
export async function pruneErasures(folder: string, secrets: Pick<Secrets, 'open'>, before: Date): Promise<void> {
  await withFileLock(`${toFile(folder)}.lock`, LOCK_TIMEOUT_MS, async () => {
    const lines = readLines(folder);
    const kept = lines.filter((line) => {
      const erasure = openLine(line, secrets);
      return erasure === null || new Date(erasure.at) >= before;
    });
    if (kept.length < lines.length) await writeDurably(toFile(folder), kept.map((line) => `${line}\n`).join(''));
  });
}
