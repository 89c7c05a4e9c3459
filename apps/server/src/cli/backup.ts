import { statSync } from 'node:fs';
import path from 'node:path';
import { listBackups, type Manifest, takeBackup } from '@pahatid/db/backup';
import { makeLayout, readPassword } from '@pahatid/db/embedded';
import { chooseBackupFolder, saveBackupFolder } from '../process/backup-folder.ts';
import { readConfig } from '../process/config.ts';
import { pruneErasures } from '../process/erasure-list.ts';
import { deriveBackupKey, makeSecrets } from '../secrets/secrets.ts';
import { findMasterKey, refuseExternal } from './backup-settings.ts';
import type { Command } from './command.ts';
import { readOptions } from './options.ts';
import { UsageError } from './usage-error.ts';
import { withDatabase } from './with-database.ts';

/** Base backups that stay. */
const KEEP = 7;
const MB = 1024 * 1024;

/**
 * `backup`: a base backup of the embedded database, also while messages are being sent; `backup list`: those there are;
 * `backup rehearse`: whether the last one can be restored.
 */
export const backupCommand: Command = async ([verb, ...words], env) => {
  if (verb === 'list') return await listCommand(words, env);
  if (verb === 'rehearse') return await (await import('./rehearse-backup.ts')).rehearseCommand(words, env);
  return await takeCommand(verb === undefined ? [] : [verb, ...words], env);
};

const takeCommand: Command = async (words, env) => {
  const { to, keep: given } = readOptions(words, ['to', 'keep']);
  const keep = Number(given ?? KEEP);
  if (!Number.isInteger(keep) || keep < 1) throw new UsageError('--keep is a whole number from 1');
  refuseExternal(readConfig(env).databaseUrl);
  return await withDatabase(env, async ({ config, url, secret }) => {
    const { dataDir } = config;
    const folder = chooseBackupFolder(dataDir, to);
    const layout = makeLayout(dataDir);
    const key = deriveBackupKey(secret);
    const manifest = await takeBackup({
      url,
      cluster: layout.cluster,
      password: readPassword(layout),
      folder,
      key,
      keep,
    });
    await saveBackupFolder(dataDir, folder);
    const [oldest] = listBackups(folder, key).backups;
    if (oldest !== undefined)
      await pruneErasures(config.erasureFolder ?? folder, makeSecrets(secret), new Date(oldest.manifest.startedAt));
    console.log(`${path.join(folder, manifest.name)}: ${describeSize(manifest)}`);
    if (statSync(folder).dev === statSync(dataDir).dev)
      console.log('This folder is on the disk of the database: it is lost with it. Name another one with --to.');
    if (config.secret === null)
      console.log(`Keep a copy of ${path.join(dataDir, 'master-key')} elsewhere: nothing is restored without it.`);
    return 0;
  });
};

const describeSize = ({ clusterBytes, sealedBytes, files }: Manifest): string =>
  `${files} files, ${Math.ceil(clusterBytes / MB)} MB, ${Math.ceil(sealedBytes / MB)} MB sealed`;

const listCommand: Command = async (words, env) => {
  const { from } = readOptions(words, ['from']);
  const config = readConfig(env);
  const folder = chooseBackupFolder(config.dataDir, from);
  const { backups, refused } = listBackups(folder, deriveBackupKey(findMasterKey(config)));
  if (backups.length + refused.length === 0) console.log(`${folder}: no backups`);
  for (const { name, manifest, until, problem } of backups)
    console.log(
      `${name}  ${problem ?? `restores ${manifest.endedAt} to ${until.toISOString()}`}  ${describeSize(manifest)}`,
    );
  for (const { name, problem } of refused) console.log(`${name}  ${problem}`);
  return refused.length === 0 && backups.every(({ problem }) => problem === null) ? 0 : 1;
};
