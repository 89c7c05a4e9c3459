/** Manifests: what a backup is, with a checksum of its data, authenticated with the key of backups. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { toLsn, toSegmentName, toSegmentStart } from './wal-position.ts';

export interface Manifest {
  readonly format: 1;
  readonly name: string;
  /** Of the cluster. */
  readonly systemId: string;
  readonly postgres: string;
  /** Folder of its WAL. */
  readonly wal: string;
  readonly timeline: number;
  readonly segmentBytes: number;
  readonly startLsn: string;
  /** The backup is consistent from here on. */
  readonly stopLsn: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly files: number;
  readonly clusterBytes: number;
  readonly sealedBytes: number;
  /** Of the sealed data, hex. */
  readonly sha256: string;
}

export const DATA_FILE = 'cluster.sealed';
const MANIFEST_FILE = 'manifest.json';
/** Why a folder is no backup: it is being removed. */
export const NO_MANIFEST = 'it has no manifest';
export const PART = '.part';

const authenticate = (text: string, key: Buffer): Buffer =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', key, '', 'manifest', 32)))
    .update(text)
    .digest();

export const formatManifest = (manifest: Manifest, key: Buffer): string => {
  const text = JSON.stringify(manifest, null, 2);
  return `${text}\n${authenticate(text, key).toString('hex')}\n`;
};

export interface FoundBackup {
  readonly name: string;
  readonly manifest: Manifest;
  /** Until when it can be restored: its WAL ends there. */
  readonly until: Date;
  /** Segments from its start on, without a gap; the last one may be growing. */
  readonly segments: readonly string[];
  /** Why it can't be restored; null: it can. */
  readonly problem: string | null;
}

export interface BackupList {
  /** The oldest first. */
  readonly backups: readonly FoundBackup[];
  /** Folders that are no backup: interrupted, spoiled, or made with another master key. */
  readonly refused: readonly { readonly name: string; readonly problem: string }[];
}

/** Lists the backups of a folder. An interrupted one has no manifest, so it is never among them. */
export function listBackups(folder: string, key: Buffer): BackupList {
  const backups: FoundBackup[] = [];
  const refused: { name: string; problem: string }[] = [];
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('base-')) : [];
  for (const name of names.sort()) {
    const manifest = readManifest(path.join(folder, name), key);
    if (typeof manifest === 'string') refused.push({ name, problem: manifest });
    else backups.push(describeBackup(folder, manifest));
  }
  return { backups, refused };
}

function readManifest(folder: string, key: Buffer): Manifest | string {
  let content: string;
  try {
    content = readFileSync(path.join(folder, MANIFEST_FILE), 'utf8');
  } catch {
    return NO_MANIFEST;
  }
  const [mac = '', ...rest] = content.trimEnd().split('\n').reverse();
  const text = rest.reverse().join('\n');
  const given = Buffer.from(mac, 'hex');
  const wanted = authenticate(text, key);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    return 'its manifest was altered, or made with another master key';
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.name !== path.basename(folder)) return 'its manifest belongs to another backup';
  return manifest;
}

function describeBackup(folder: string, manifest: Manifest): FoundBackup {
  const { timeline, segmentBytes, name } = manifest;
  const wal = path.join(folder, manifest.wal);
  const segments: string[] = [];
  let last: string | null = null;
  let lastStart = -1n;
  for (let at = toSegmentStart(toLsn(manifest.startLsn), segmentBytes); ; at += BigInt(segmentBytes)) {
    const segment = toSegmentName(timeline, at, segmentBytes);
    const file = [segment, segment + PART].find((each) => existsSync(path.join(wal, each)));
    if (file === undefined) break;
    segments.push(file);
    last = file;
    lastStart = at;
    if (file.endsWith(PART)) break;
  }
  const data = statSync(path.join(folder, name, DATA_FILE), { throwIfNoEntry: false });
  const problem =
    data?.size !== manifest.sealedBytes
      ? 'its data is missing or cut short'
      : lastStart < toSegmentStart(toLsn(manifest.stopLsn) - 1n, segmentBytes)
        ? 'WAL is missing from which it becomes consistent'
        : null;
  const copiedMs = last === null ? 0 : statSync(path.join(wal, last)).mtimeMs;
  // Where nothing was written after it, the last copy is older than the end of the backup.
  const until = new Date(Math.max(copiedMs, Date.parse(manifest.endedAt)));
  return { name, manifest, until, segments, problem };
}
