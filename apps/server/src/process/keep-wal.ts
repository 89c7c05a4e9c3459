/**
 * Copies the WAL of the embedded database to the folder of the last backup, once a second, while the program runs: what is
 * lost with the disk of the data folder is the last second. Before the first backup there is nothing to copy to.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { makeClient } from '@pahatid/db';
import { WalCopier, WalLostError, walLock } from '@pahatid/db/backup';
import { makeLayout, withFileLock } from '@pahatid/db/embedded';
import type pg from 'pg';
import type { Logger } from 'pino';
import { readBackupFolder } from './backup-folder.ts';
import { reportChanges } from './report-changes.ts';

const EVERY_MS = 1_000;
const RETRY_MS = 5_000;
const LOCK_TIMEOUT_MS = 10_000;

export interface WalKeeperOptions {
  readonly dataDir: string;
  /** That seals backups. */
  readonly key: Buffer;
  /** Of a superuser, read at each connection. */
  readonly url: () => string;
  readonly log: Logger;
}

export interface WalKeeper {
  /** Copies what is left and ends, before the database does. */
  stop(): Promise<void>;
}

export function keepWal({ dataDir, key, url, log }: WalKeeperOptions): WalKeeper {
  const { cluster } = makeLayout(dataDir);
  const stopping = new AbortController();
  let folder: string | null = null;
  let copier: WalCopier | null = null;
  let client: pg.Client | null = null;

  const close = async (): Promise<void> => {
    await copier?.close();
    const open = client;
    copier = client = null;
    await open?.end().catch(() => {});
  };
  const step = async (): Promise<void> => {
    const wanted = readBackupFolder(dataDir);
    if (wanted !== folder) await close();
    folder = wanted;
    if (folder === null) return;
    if (client === null) {
      const opening = makeClient({ url: url(), applicationName: 'pahatid backup' });
      client = opening;
      await opening.connect();
    }
    copier ??= new WalCopier({ folder, cluster, key });
    const [copying, db] = [copier, client];
    await withFileLock(walLock(cluster), LOCK_TIMEOUT_MS, () => copying.step(db));
  };
  const failures = reportChanges((err) =>
    err instanceof WalLostError
      ? log.error({ err, folder }, 'WAL of the backup is lost, a new backup is needed')
      : log.error({ err, folder }, 'WAL not copied to the backup, will retry'),
  );
  const tryStep = async (): Promise<boolean> => {
    try {
      await step();
      failures.worked();
      return true;
    } catch (error) {
      failures.failed(error);
      await close();
      return false;
    }
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const ms = (await tryStep()) ? EVERY_MS : RETRY_MS;
      await sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});
    }
    await tryStep();
    await close();
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
