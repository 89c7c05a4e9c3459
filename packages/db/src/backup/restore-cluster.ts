/**
 * Restores a cluster from a backup: its files and WAL into a draft folder, recovery there on another port, what the
 * caller prepares, and only then in the place of the cluster. Killed before, it leaves a draft that the next start removes;
 * the replaced cluster is kept in the same folder.
 */
import { chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { chown, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createZstdDecompress, zstdDecompress } from 'node:zlib';
import { type Binaries, dropTemporary, prepareBinaries } from '../embedded/binaries.ts';
import { withFileLock } from '../embedded/file-lock.ts';
import { type Layout, makeLayout } from '../embedded/layout.ts';
import { findPostmaster, startPostmaster } from '../embedded/postmaster.ts';
import { PostmasterError } from '../embedded/postmaster-error.ts';
import { listSettings } from '../embedded/settings.ts';
import { urlWith } from '../embedded/start-embedded.ts';
import { type User, userForPostgres } from '../embedded/unprivileged.ts';
import { syncFolder } from './durable-files.ts';
import { writeCluster } from './entries.ts';
import { DATA_FILE, type FoundBackup, listBackups, type Manifest, PART } from './manifest.ts';
import { readSealed, SealedError } from './sealed.ts';
import { dataContext, PASSWORD_ENTRY } from './take-backup.ts';
import { walContext } from './wal-copy.ts';

const LOCK_TIMEOUT_MS = 5_000;
const decompress = promisify(zstdDecompress);

/** Why a restore is not possible: one clear line. */
export class RestoreError extends Error {
  override name = 'RestoreError';
}

export interface RestoreOptions {
  /** Of the backups. */
  readonly folder: string;
  readonly key: Buffer;
  /** Where the cluster comes. */
  readonly dataDir: string;
  /** The state at an instant, or the last one there is. */
  readonly at: Date | 'last';
  /** Runs on the restored database before anything else can use it. */
  readonly prepare: (restored: { url: string; manifest: Manifest }) => Promise<void>;
}

export interface Restored {
  readonly manifest: Manifest;
  /** Where the cluster is that was there before; null: none was. */
  readonly replaced: string | null;
}

/** The newest backup from which the state at the instant can be restored. */
export function chooseBackup(folder: string, key: Buffer, at: Date | 'last'): FoundBackup {
  const { backups, refused } = listBackups(folder, key);
  const usable = backups.filter(({ problem }) => problem === null);
  const found = usable.findLast(({ manifest }) => at === 'last' || new Date(manifest.endedAt) <= at);
  if (found !== undefined) return found;
  const problems = [...backups, ...refused].map(({ name, problem }) =>
    problem === null ? '' : `\n  ${name}: ${problem}`,
  );
  const [first] = usable;
  const why = first === undefined ? 'has no backup that can be restored' : `begins at ${first.manifest.endedAt}`;
  throw new RestoreError(`${folder} ${why}${problems.join('')}`);
}

export async function restoreCluster(options: RestoreOptions): Promise<Restored> {
  const layout = makeLayout(options.dataDir);
  mkdirSync(layout.root, { recursive: true, mode: 0o700 });
  return await withFileLock(layout.lock, LOCK_TIMEOUT_MS, async () => {
    if (findPostmaster(layout) !== null) throw new RestoreError(`a database runs in ${options.dataDir}: stop it first`);
    const backup = chooseBackup(options.folder, options.key, options.at);
    const user = userForPostgres(layout.cluster, '/etc/passwd');
    const binaries = prepareBinaries(user, layout.binaries, layout.temporaryBinaries);
    const draft = mkdtempSync(layout.draft);
    try {
      if (user !== null) chownSync(draft, user.uid, user.gid);
      const password = await unpack(options, backup, draft, user);
      await recover(options, backup.manifest, { layout, draft, binaries, user, password });
      return { manifest: backup.manifest, replaced: await putInPlace(layout, draft, password) };
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      throw error;
    } finally {
      dropTemporary(binaries, layout.temporaryBinaries);
    }
  });
}

/** Writes the files and the WAL, and returns the password of the superuser. */
async function unpack(
  { folder, key }: RestoreOptions,
  { manifest, name, segments }: FoundBackup,
  cluster: string,
  user: User | null,
): Promise<string> {
  const sealed = readSealed(path.join(folder, name, DATA_FILE), key, dataContext(manifest.systemId, name));
  const expanding = createZstdDecompress();
  const source = Readable.from(sealed, { objectMode: false });
  source.on('error', (error) => expanding.destroy(error));
  const aside = await writeCluster(source.pipe(expanding), { cluster, user, aside: PASSWORD_ENTRY });
  const password = aside.get(PASSWORD_ENTRY)?.toString();
  if (password === undefined) throw new SealedError(`${name} has no password of its database`);
  for (const segment of segments) {
    const plain = await readSegment(path.join(folder, manifest.wal, segment), key, manifest);
    await writeOwned(path.join(cluster, 'pg_wal', segment.replace(PART, '')), plain, user);
  }
  await writeOwned(path.join(cluster, 'recovery.signal'), Buffer.alloc(0), user);
  return password;
}

/** What is missing of a growing segment is zeros: recovery ends there. */
async function readSegment(file: string, key: Buffer, { wal, segmentBytes }: Manifest): Promise<Buffer> {
  const growing = file.endsWith(PART);
  const chunks: Buffer[] = [];
  const context = walContext(wal, path.basename(file).replace(PART, ''));
  for await (const chunk of readSealed(file, key, context, { growing })) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (!growing) return await decompress(bytes);
  return Buffer.concat([bytes, Buffer.alloc(segmentBytes - bytes.length)]);
}

async function writeOwned(file: string, bytes: Buffer, user: User | null): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.writeFile(bytes);
  } finally {
    await handle.close();
  }
  if (user !== null) await chown(file, user.uid, user.gid);
}

interface Draft {
  readonly layout: Layout;
  readonly draft: string;
  readonly binaries: Binaries;
  readonly user: User | null;
  readonly password: string;
}

async function recover(options: RestoreOptions, manifest: Manifest, of: Draft): Promise<void> {
  const { at } = options;
  const layout = { ...of.layout, cluster: of.draft, pidFile: path.join(of.draft, 'postmaster.pid') };
  const settings = {
    ...listSettings(of.binaries, false),
    // Ready is then what has ended its recovery.
    hot_standby: 'off',
    restore_command: 'false',
    recovery_target_timeline: 'current',
    ...(at === 'last' ? {} : { recovery_target_time: formatTarget(at), recovery_target_action: 'promote' }),
  };
  // As long as it takes: the WAL of a day may be much.
  const postmaster = await startPostmaster(
    layout,
    of.binaries,
    of.user,
    null,
    settings,
    Number.POSITIVE_INFINITY,
  ).catch((error: unknown) => {
    const isTooLate = error instanceof PostmasterError && error.message.includes('before configured recovery target');
    throw isTooLate
      ? new RestoreError(`the backup ends before ${(at as Date).toISOString()}: its last state is that of --at last`)
      : error;
  });
  try {
    await options.prepare({ url: urlWith(of.password, postmaster.port, 'pahatid'), manifest });
  } finally {
    await postmaster.stop();
  }
}

/** The server reads the setting before it knows the names of time zones, `Z` included. */
const formatTarget = (at: Date): string => at.toISOString().replace('T', ' ').replace('Z', '+00');

/** The next start finds the restored cluster, or refuses: `ensureCluster` makes no new one while there is a replaced one. */
async function putInPlace(layout: Layout, draft: string, password: string): Promise<string | null> {
  const replaced = existsSync(layout.cluster)
    ? `${layout.replaced}${new Date().toISOString().replace(/[-:.]/g, '')}`
    : null;
  if (replaced !== null) renameSync(layout.cluster, replaced);
  writeFileSync(layout.password, password, { mode: 0o600, flush: true });
  renameSync(draft, layout.cluster);
  await syncFolder(layout.root);
  return replaced;
}
