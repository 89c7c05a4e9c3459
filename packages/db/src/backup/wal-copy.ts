/**
 * Copies the WAL to the folder of the backups while it is written: up to the position that the server has on its disk, once
 * a second. A segment grows there as `<name>.part`, and is replaced by one compressed file when it is full. A replication
 * slot keeps what is not copied yet; it moves only past what is on the disk there. After a restart the segment in
 * progress is copied again from its beginning, into a new file that replaces the old one.
 */

import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { type Db, maybe, run, sql } from '../sql.ts';
import { renameDurably, syncFolder } from './durable-files.ts';
import { PART } from './manifest.ts';
import { SealedWriter } from './sealed.ts';
import { formatLsn, toLsn, toSegmentName, toSegmentStart } from './wal-position.ts';

const SLOT = 'pahatid_backup_';
const DRAFT = '.draft';
/** Read and sealed at a time. */
const CHUNK_BYTES = 1024 * 1024;
const compress = promisify(zstdCompress);

/** The server gave up keeping WAL that was not copied (`max_slot_wal_keep_size`): only a new backup helps. */
export class WalLostError extends Error {
  override name = 'WalLostError';
}

export interface WalPosition {
  readonly systemId: string;
  readonly timeline: number;
  readonly segmentBytes: number;
  /** Everything before it is on the server's disk. */
  readonly flushed: bigint;
  /** Null: there is no slot, so no backup asks for the WAL. */
  readonly slot: WalSlot | null;
}

interface WalSlot {
  readonly name: string;
  /** What the server keeps begins here. */
  readonly kept: bigint;
}

export const readWalPosition = async (db: Db): Promise<WalPosition> => {
  const row = await maybe(
    db,
    sql<{
      systemId: string;
      segmentBytes: number;
      flushed: string;
      file: string;
      slot: string | null;
      kept: string;
      status: string;
    }>`
      select (select system_identifier::text from pg_control_system()) as "systemId",
        (select setting::int from pg_settings where name = 'wal_segment_size') as "segmentBytes",
        f.lsn::text as flushed, pg_walfile_name(f.lsn) as file, s.slot_name as slot, s.restart_lsn::text as kept, s.wal_status as status
      from (select pg_current_wal_flush_lsn() as lsn) f
      left join pg_replication_slots s on starts_with(s.slot_name, ${SLOT})`,
  );
  if (row === null) throw new Error('the position of the WAL can not be read');
  if (row.status === 'lost') throw new WalLostError('the server no longer has the WAL that was not copied');
  return {
    systemId: row.systemId,
    timeline: Number.parseInt(row.file.slice(0, 8), 16),
    segmentBytes: row.segmentBytes,
    flushed: toLsn(row.flushed),
    slot: row.slot === null ? null : { name: row.slot, kept: toLsn(row.kept) },
  };
};

/** Reserves the WAL from now on, and returns the name of its folder; a slot whose WAL is lost is replaced. */
export const ensureSlot = async (db: Db): Promise<string> => {
  const found = await maybe(
    db,
    sql<{ name: string; status: string }>`
      select slot_name as name, wal_status as status from pg_replication_slots where starts_with(slot_name, ${SLOT})`,
  );
  if (found !== null && found.status !== 'lost') return toWalFolder(found.name);
  if (found !== null) await run(db, sql`select pg_drop_replication_slot(${found.name})`);
  const name = SLOT + randomBytes(6).toString('hex');
  await run(db, sql`select pg_create_physical_replication_slot(${name}, true)`);
  return toWalFolder(name);
};

const toWalFolder = (slot: string): string => `wal-${slot.slice(SLOT.length)}`;

/** Context of a sealed segment. */
export const walContext = (walFolder: string, segment: string): string => `${walFolder}/${segment}`;

/** A segment that grows. */
interface Part {
  readonly writer: SealedWriter;
  readonly file: string;
  readonly start: bigint;
  /** Copied before it. */
  end: bigint;
}

export interface WalCopierOptions {
  /** Of the backups. */
  readonly folder: string;
  /** Of the server: PGDATA. */
  readonly cluster: string;
  readonly key: Buffer;
}

export class WalCopier {
  private readonly options: WalCopierOptions;
  private part: Part | null = null;

  constructor(options: WalCopierOptions) {
    this.options = options;
  }

  /**
   * Copies what the server has flushed since, and returns up to where; null: no backup asks for it. Only one process at a
   * time may do so.
   */
  async step(db: Db): Promise<bigint | null> {
    try {
      return await this.copy(db);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const { part } = this;
    this.part = null;
    await part?.writer.close().catch(() => {});
  }

  private async copy(db: Db): Promise<bigint | null> {
    const position = await readWalPosition(db);
    const { slot, flushed, segmentBytes } = position;
    if (slot === null) return null;
    const { kept } = slot;
    const name = toWalFolder(slot.name);
    const folder = path.join(this.options.folder, name);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (this.part !== null && !(await isOurs(this.part))) await this.close();
    if (this.part?.end === flushed) return flushed;
    if (this.part === null) await dropDrafts(folder);
    const size = BigInt(segmentBytes);
    let start = this.part?.start ?? toSegmentStart(kept, segmentBytes);
    for (; start + size <= flushed; start += size) await this.copyWhole(position, name, start);
    if (start < flushed) await this.copyPart(position, name, start);
    // The slot lets go of what is copied.
    if (flushed > kept)
      await run(db, sql`select pg_replication_slot_advance(${slot.name}, ${formatLsn(flushed)}::pg_lsn)`);
    return flushed;
  }

  private async copyWhole({ timeline, segmentBytes }: WalPosition, wal: string, start: bigint): Promise<void> {
    const { cluster, key, folder } = this.options;
    const name = toSegmentName(timeline, start, segmentBytes);
    const target = path.join(folder, wal, name);
    const plain = await readRange(path.join(cluster, 'pg_wal', name), 0, segmentBytes);
    const writer = await SealedWriter.create(target + DRAFT, key, walContext(wal, name));
    const packed = await compress(plain, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
    await writer.appendAll(one(packed));
    await renameDurably(target + DRAFT, target);
    await this.close();
    await rm(target + PART, { force: true });
  }

  private async copyPart({ timeline, segmentBytes, flushed }: WalPosition, wal: string, start: bigint): Promise<void> {
    const { cluster, key, folder } = this.options;
    const name = toSegmentName(timeline, start, segmentBytes);
    const source = path.join(cluster, 'pg_wal', name);
    const target = path.join(folder, wal, name + PART);
    const isNew = this.part === null || this.part.start !== start;
    if (isNew) {
      await this.close();
      const writer = await SealedWriter.create(target + DRAFT, key, walContext(wal, name));
      this.part = { writer, file: target, start, end: start };
    }
    const part = this.part as Part;
    while (part.end < flushed) {
      const bytes = Math.min(CHUNK_BYTES, Number(flushed - part.end));
      await part.writer.append(await readRange(source, Number(part.end - start), bytes));
      part.end += BigInt(bytes);
    }
    await part.writer.sync();
    if (isNew) await renameDurably(target + DRAFT, target);
  }
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Whether the file is still the one that we write: another process may have begun it again, or someone removed it. */
async function isOurs({ writer, file }: Part): Promise<boolean> {
  const [mine, there] = await Promise.all([writer.stat(), stat(file).catch(() => null)]);
  return there !== null && there.ino === mine.ino && there.size === writer.bytes;
}

async function readRange(file: string, from: number, bytes: number): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const buffer = Buffer.alloc(bytes);
    for (let done = 0; done < bytes; ) {
      const { bytesRead } = await handle.read(buffer, done, bytes - done, from + done);
      if (bytesRead === 0) throw new Error(`${file} ends before what the server has flushed`);
      done += bytesRead;
    }
    return buffer;
  } finally {
    await handle.close();
  }
}

/** What a killed process left. */
async function dropDrafts(folder: string): Promise<void> {
  const drafts = (await readdir(folder)).filter((name) => name.endsWith(DRAFT));
  for (const name of drafts) await rm(path.join(folder, name), { force: true });
  if (drafts.length > 0) await syncFolder(folder);
}
