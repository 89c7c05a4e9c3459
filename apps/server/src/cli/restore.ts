import path from 'node:path';
import { makePool, migrate } from '@pahatid/db';
import { type Manifest, restoreCluster } from '@pahatid/db/backup';
import { withFileLock } from '@pahatid/db/embedded';
import { useNumberHash } from '@pahatid/db/queries/erased-opt-outs';
import { readRecoveredAt } from '@pahatid/db/queries/restores';
import { replayErasures } from '../features/privacy/replay-erasures.ts';
import { chooseBackupFolder, saveBackupFolder } from '../process/backup-folder.ts';
import { type Config, ConfigError, readConfig } from '../process/config.ts';
import { readErasures } from '../process/erasure-list.ts';
import { saveMasterKey } from '../secrets/master-key.ts';
import { deriveBackupKey, makeSecrets } from '../secrets/secrets.ts';
import { markRestored } from '../sending/restore/mark-restored.ts';
import { findMasterKey, refuseExternal } from './backup-settings.ts';
import type { Command } from './command.ts';
import { readOptions } from './options.ts';
import { UsageError } from './usage-error.ts';

const LOCK_TIMEOUT_MS = 3_000;

/** `restore`: the embedded database from a backup, with sending paused (decision 127). */
export const restoreCommand: Command = async (words, env) => {
  const { at: when, from, mark } = readOptions(words, ['at', 'from', 'mark']);
  const config = readConfig(env);
  if (mark !== undefined) return await markExternal(config, mark, from);
  refuseExternal(config.databaseUrl);
  const at = readInstant(when);
  const { dataDir } = config;
  const folder = chooseBackupFolder(dataDir, from);
  const secret = findMasterKey(config);
  const startedAt = performance.now();
  let summary = '';
  const restored = await whileNothingRuns(dataDir, () =>
    restoreCluster({
      folder,
      key: deriveBackupKey(secret),
      dataDir,
      at,
      prepare: async (found) => {
        summary = await prepareRestored(found, config.erasureFolder ?? folder, secret);
      },
    }),
  );
  saveMasterKey(dataDir, secret);
  await saveBackupFolder(dataDir, folder);
  console.log(
    `Restored ${restored.manifest.name} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.\n${summary}`,
  );
  if (restored.replaced !== null) console.log(`The database that was there is in ${restored.replaced}.`);
  console.log(
    'Sending is paused: an admin decides lane by lane on the overview. Take a new backup now: npm run pahatid -- backup',
  );
  return 0;
};

/** Of a database that its operator restored, before any role starts on it. `mark`: the state that came back. */
async function markExternal(config: Config, mark: string, from: string | undefined): Promise<number> {
  const url = config.controlUrl ?? config.databaseUrl;
  if (url === null) throw new UsageError('--mark is for a database of yours (DATABASE_URL)');
  const at = readInstant(mark);
  if (at === 'last') throw new UsageError('--mark is the time of the state that came back');
  const folder =
    from === undefined && config.erasureFolder !== null
      ? config.erasureFolder
      : chooseBackupFolder(config.dataDir, from);
  console.log(await prepareRestored({ url, manifest: { endedAt: at.toISOString() } }, folder, findMasterKey(config)));
  console.log('Sending is paused: an admin decides lane by lane on the overview.');
  return 0;
}

function readInstant(text: string | undefined): Date | 'last' {
  if (text === 'last') return 'last';
  const ms = Date.parse(text ?? '');
  if (Number.isNaN(ms)) throw new UsageError('--at is “last”, or a time like 2026-03-01T08:00:00+08:00');
  return new Date(ms);
}

async function whileNothingRuns<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  let locked = false;
  try {
    return await withFileLock(path.join(dataDir, 'running.lock'), LOCK_TIMEOUT_MS, async () => {
      locked = true;
      return await work();
    });
  } catch (error) {
    if (locked) throw error;
    throw new ConfigError([`PAHATID_DATA: Pahatid runs with ${dataDir}: stop it first`]);
  }
}

/** All that must be done before anything serves the restored database. Returns what it did, in lines. */
async function prepareRestored(
  { url, manifest }: { url: string; manifest: Pick<Manifest, 'endedAt'> },
  folder: string,
  secret: Buffer,
): Promise<string> {
  const secrets = makeSecrets(secret);
  useNumberHash(secrets.hashNumber);
  const pool = makePool({ url, applicationName: 'pahatid restore', max: 3, statementTimeoutMs: 0 });
  try {
    const backupAt = (await readRecoveredAt(pool)) ?? new Date(manifest.endedAt);
    await migrate({ url });
    const { unsure } = await markRestored(pool, backupAt);
    const { erasures, unreadable } = readErasures(folder, secrets);
    const replayed = await replayErasures(pool, secrets, erasures, backupAt);
    return [
      `State of ${backupAt.toISOString()}. Messages that were waiting, and are unconfirmed now: ${unsure}.`,
      `Erasures since, asked for again: ${replayed}.`,
      ...(unreadable === 0
        ? []
        : [`Erasures that could not be read: ${unreadable}. They were made with another master key, or cut short.`]),
    ].join('\n');
  } finally {
    await pool.end();
  }
}
