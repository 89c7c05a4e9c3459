/**
 * The files of a cluster as one stream: for each a header (length in 4 bytes, then JSON) and its bytes. A file that grows
 * while it is read ends at the size it had; one that shrinks is filled with zeros, as `pg_basebackup` does: the WAL that
 * belongs to the backup has what changed meanwhile.
 */
import { constants } from 'node:fs';
import { chown, type FileHandle, mkdir, open, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { User } from '../embedded/unprivileged.ts';
import { makeReader, SealedError } from './sealed.ts';

const CHUNK_BYTES = 1024 * 1024;
const LONGEST_HEADER = 65_536;
const CONTROL = 'global/pg_control';

/** Folders whose contents belong to the running server: only the folders are kept. */
const EMPTIED = new Set([
  'pg_wal',
  'pg_wal/archive_status',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
const LEFT_OUT = /(^|\/)(postmaster\.(pid|opts)|backup_label|tablespace_map|pg_internal\.init.*|pgsql_tmp.*)$/;

interface Entry {
  readonly path: string;
  /** Null: a folder. */
  readonly size: number | null;
}

const head = (entry: Entry): Buffer => {
  const json = Buffer.from(JSON.stringify(entry));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json]);
};

/** One file that is in memory. */
export const toEntry = (name: string, bytes: Buffer): Buffer =>
  Buffer.concat([head({ path: name, size: bytes.length }), bytes]);

export interface EntryCounts {
  files: number;
  bytes: number;
}

/** All of a cluster but its WAL; pg_control last, so that no checkpoint in it is newer than the files. */
export async function* readCluster(cluster: string, counts: EntryCounts): AsyncGenerator<Buffer> {
  yield* readFolder(cluster, '', counts);
  const control = await readControl(path.join(cluster, CONTROL));
  counts.files += 1;
  yield toEntry(CONTROL, control);
}

async function* readFolder(cluster: string, folder: string, counts: EntryCounts): AsyncGenerator<Buffer> {
  for (const found of await readdir(path.join(cluster, folder), { withFileTypes: true })) {
    const name = folder === '' ? found.name : `${folder}/${found.name}`;
    if (LEFT_OUT.test(name) || name === CONTROL) continue;
    if (found.isSymbolicLink()) throw new Error(`${name} is a link: tablespaces are not backed up`);
    if (found.isDirectory()) {
      yield head({ path: name, size: null });
      if (EMPTIED.has(name)) {
        if (name === 'pg_wal') yield head({ path: 'pg_wal/archive_status', size: null });
      } else yield* readFolder(cluster, name, counts);
    } else if (found.isFile()) yield* readClusterFile(cluster, name, counts);
  }
}

async function* readClusterFile(cluster: string, name: string, counts: EntryCounts): AsyncGenerator<Buffer> {
  const file = await openOrNull(path.join(cluster, name));
  // Removed since its folder was read: the WAL removes it again.
  if (file === null) return;
  try {
    const { size } = await file.stat();
    yield head({ path: name, size });
    for (let at = 0; at < size; ) {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - at));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
      // Truncated since: zeros.
      at += bytesRead === 0 ? chunk.length : bytesRead;
      yield bytesRead === 0 ? chunk : chunk.subarray(0, bytesRead);
    }
    counts.files += 1;
    counts.bytes += size;
  } finally {
    await file.close();
  }
}

async function openOrNull(name: string): Promise<FileHandle | null> {
  try {
    return await open(name, constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Until two readings agree: the server may be writing it. */
async function readControl(name: string): Promise<Buffer> {
  let before: Buffer | null = null;
  for (;;) {
    const now = await readFile(name);
    if (before?.equals(now)) return now;
    before = now;
  }
}

export interface WriteOptions {
  readonly cluster: string;
  readonly user: User | null;
  /** Files that do not belong to the cluster, by the beginning of their names: returned, not written. */
  readonly aside: string;
}

/** Writes the files of a stream; their owner is the server's user. */
export async function writeCluster(source: AsyncIterable<Buffer>, options: WriteOptions): Promise<Map<string, Buffer>> {
  const aside = new Map<string, Buffer>();
  const read = makeReader(source);
  for (;;) {
    const length = await read(4);
    if (length === null) return aside;
    const size = length.readUInt32BE();
    const json = size > LONGEST_HEADER ? null : await read(size);
    if (json === null) throw new SealedError('the backup has a header that is cut short');
    const entry = JSON.parse(json.toString()) as Entry;
    if (entry.path.startsWith(options.aside)) aside.set(entry.path, await take(read, entry.size ?? 0));
    else await writeEntry(read, entry, options);
  }
}

type Read = (bytes: number) => Promise<Buffer | null>;

async function take(read: Read, bytes: number): Promise<Buffer> {
  const taken = await read(bytes);
  if (taken === null) throw new SealedError('the backup ends within a file');
  return taken;
}

async function writeEntry(read: Read, entry: Entry, { cluster, user }: WriteOptions): Promise<void> {
  const target = path.join(cluster, entry.path);
  if (path.relative(cluster, target).startsWith('..')) throw new SealedError(`${entry.path} is not below the cluster`);
  if (entry.size === null) {
    await mkdir(target, { recursive: true, mode: 0o700 });
    if (user !== null) await chown(target, user.uid, user.gid);
    return;
  }
  const file = await open(target, 'w', 0o600);
  try {
    if (user !== null) await file.chown(user.uid, user.gid);
    for (let at = 0; at < entry.size; ) {
      const chunk = await take(read, Math.min(CHUNK_BYTES, entry.size - at));
      await file.writeFile(chunk);
      at += chunk.length;
    }
  } finally {
    await file.close();
  }
}
