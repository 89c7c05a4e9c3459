/**
 * Takes a base backup of a running cluster: its files as they are while it works, between `pg_backup_start` and
 * `pg_backup_stop`, and the WAL from start to stop. All goes into a draft folder that is renamed at the end, so a backup
 * that was interrupted at any instant is no backup.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { constants, createZstdCompress } from 'node:zlib';
import type pg from 'pg';
import { makeClient } from '../connect.ts';
import { withFileLock } from '../embedded/file-lock.ts';
import { renameDurably, syncFolder, writeDurably } from './durable-files.ts';
import { type EntryCounts, readCluster, toEntry } from './entries.ts';
import { DATA_FILE, formatManifest, type Manifest } from './manifest.ts';
import { pruneBackups } from './prune-backups.ts';
import { type SealedBytes, SealedWriter } from './sealed.ts';
import { ensureSlot, readWalPosition, WalCopier, WalLostError } from './wal-copy.ts';
import { toLsn } from './wal-position.ts';

const DRAFT = 'draft-';
/** Password of the superuser; its file is next to the cluster. */
export const PASSWORD_ENTRY = '@password';
const WAL_EVERY_MS = 200;

export interface BackupOptions {
  readonly url: string;
  /** PGDATA of the server. */
  readonly cluster: string;
  readonly password: string;
  readonly folder: string;
  readonly key: Buffer;
  /** Backups that stay, this one included. */
  readonly keep: number;
}

/** Only one process at a time copies the WAL of a cluster. */
export const walLock = (cluster: string): string => path.join(path.dirname(cluster), 'wal.lock');

export async function takeBackup(options: BackupOptions): Promise<Manifest> {
  const { folder } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return await withFileLock(path.join(folder, 'backup.lock'), 1_000, async () => {
    for (const name of await readdir(folder))
      if (name.startsWith(DRAFT)) await rm(path.join(folder, name), { recursive: true });
    const client = makeClient({ url: options.url, applicationName: 'pahatid backup', statementTimeoutMs: 0 });
    await client.connect();
    try {
      return await backUp(client, options);
    } finally {
      await client.end();
    }
  });
}

async function backUp(client: pg.Client, options: BackupOptions): Promise<Manifest> {
  const { folder, key } = options;
  const startedAt = new Date();
  const name = `base-${startedAt.toISOString().replace(/[-:.]/g, '')}`;
  const draft = path.join(folder, DRAFT + name);
  await mkdir(draft, { mode: 0o700 });
  const wal = await ensureSlot(client);
  const { systemId, timeline, segmentBytes } = await readWalPosition(client);
  const started = await client.query<{ lsn: string }>(`select pg_backup_start($1, fast => true)::text as lsn`, [name]);
  const counts: EntryCounts = { files: 0, bytes: 0 };
  let stopLsn = '';
  const sealed = await seal(path.join(draft, DATA_FILE), key, dataContext(systemId, name), async function* () {
    yield toEntry(PASSWORD_ENTRY, Buffer.from(options.password));
    yield* readCluster(options.cluster, counts);
    const { rows } = await client.query<{ lsn: string; label: string; map: string }>(
      'select lsn::text, labelfile as label, spcmapfile as map from pg_backup_stop(wait_for_archive => false)',
    );
    const [stopped] = rows;
    if (stopped === undefined) throw new Error('pg_backup_stop returned nothing');
    if (stopped.map.trim() !== '') throw new Error('tablespaces are not backed up');
    stopLsn = stopped.lsn;
    yield toEntry('backup_label', Buffer.from(stopped.label));
  });
  await copyWalUpTo(client, options, toLsn(stopLsn));
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`);
  const manifest: Manifest = {
    format: 1,
    name,
    systemId,
    postgres: rows[0]?.version ?? '',
    wal,
    timeline,
    segmentBytes,
    startLsn: started.rows[0]?.lsn ?? '',
    stopLsn,
    startedAt: startedAt.toISOString(),
    endedAt: new Date().toISOString(),
    files: counts.files,
    clusterBytes: counts.bytes,
    sealedBytes: sealed.bytes,
    sha256: sealed.sha256,
  };
  await writeDurably(path.join(draft, 'manifest.json'), formatManifest(manifest, key));
  await syncFolder(draft);
  await renameDurably(draft, path.join(folder, name));
  await pruneBackups(folder, key, options.keep);
  return manifest;
}

/** Context of the sealed data of a backup. */
export const dataContext = (systemId: string, name: string): string => `${systemId}/${name}`;

async function seal(
  file: string,
  key: Buffer,
  context: string,
  plain: () => AsyncGenerator<Buffer>,
): Promise<SealedBytes> {
  const compressing = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } });
  const source = Readable.from(plain(), { objectMode: false, highWaterMark: 1024 * 1024 });
  source.on('error', (error) => compressing.destroy(error));
  const writer = await SealedWriter.create(file, key, context);
  return await writer.appendAll(source.pipe(compressing));
}

/** By the running program, or here. */
async function copyWalUpTo(client: pg.Client, { folder, cluster, key }: BackupOptions, lsn: bigint): Promise<void> {
  const copier = new WalCopier({ folder, cluster, key });
  try {
    for (;;) {
      const copied = await withFileLock(walLock(cluster), 60_000, () => copier.step(client));
      if (copied === null) throw new WalLostError('the replication slot of the backup is gone');
      if (copied >= lsn) return;
      await sleep(WAL_EVERY_MS);
    }
  } finally {
    await copier.close();
  }
}
