import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { DATA_FILE, listBackups, type Manifest, NO_MANIFEST, PART } from './manifest.ts';
import { toLsn, toSegmentName, toSegmentStart } from './wal-position.ts';

/**
 * Removes all but the newest `keep` usable backups, and the WAL that none of those that stay needs; returns the names of
 * the backups that are gone. The manifest goes first: a backup that is half removed is no backup.
 */
export async function pruneBackups(folder: string, key: Buffer, keep: number): Promise<string[]> {
  const { backups, refused } = listBackups(folder, key);
  // Removed half-way.
  const halves = refused.filter(({ problem }) => problem === NO_MANIFEST).map(({ name }) => name);
  for (const name of halves) await rm(path.join(folder, name), { recursive: true, force: true });
  const usable = backups.filter(({ problem }) => problem === null);
  const gone = usable.slice(0, Math.max(0, usable.length - keep)).map(({ name }) => name);
  for (const name of gone) {
    for (const file of ['manifest.json', DATA_FILE]) await rm(path.join(folder, name, file), { force: true });
    await rm(path.join(folder, name), { recursive: true, force: true });
  }
  const kept = backups.filter(({ name }) => !gone.includes(name)).map(({ manifest }) => manifest);
  // Backups of another master key may need any of it.
  if (refused.length === halves.length)
    for (const wal of await readdir(folder))
      if (wal.startsWith('wal-')) await pruneWal(path.join(folder, wal), findFirstSegment(kept, wal));
  return gone;
}

/** Null: no backup needs this WAL. Names of one timeline are in the order of their positions. */
function findFirstSegment(kept: readonly Manifest[], wal: string): string | null {
  const oldest = kept.find((manifest) => manifest.wal === wal);
  if (oldest === undefined) return null;
  const { timeline, segmentBytes } = oldest;
  return toSegmentName(timeline, toSegmentStart(toLsn(oldest.startLsn), segmentBytes), segmentBytes);
}

async function pruneWal(folder: string, first: string | null): Promise<void> {
  if (first === null) return await rm(folder, { recursive: true, force: true });
  for (const segment of await readdir(folder))
    if (/^[0-9A-F]{24}(\.part)?$/.test(segment) && segment.replace(PART, '') < first)
      await rm(path.join(folder, segment), { force: true });
}
