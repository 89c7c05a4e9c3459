import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { makePool, migrate } from '@pahatid/db';
import { restoreCluster } from '@pahatid/db/backup';
import { chooseBackupFolder } from '../process/backup-folder.ts';
import { readConfig } from '../process/config.ts';
import { deriveBackupKey } from '../secrets/secrets.ts';
import { findDifferences } from '../verify/find-differences.ts';
import { findMasterKey } from './backup-settings.ts';
import type { Command } from './command.ts';
import { readOptions } from './options.ts';

const KEPT_MS = 400 * 86_400_000;
/** Differences that are printed by name. */
const SHOWN = 20;

/** `backup rehearse`: restores the last state into a temporary folder, verifies it, and removes it. Exits with 0 if all agrees. */
export const rehearseCommand: Command = async (words, env) => {
  const { from, in: parent } = readOptions(words, ['from', 'in']);
  const config = readConfig(env);
  const folder = chooseBackupFolder(config.dataDir, from);
  const key = deriveBackupKey(findMasterKey(config));
  const dataDir = await mkdtemp(path.join(parent ?? os.tmpdir(), 'pahatid-rehearsal-'));
  const startedAt = performance.now();
  const seconds = (): string => ((performance.now() - startedAt) / 1_000).toFixed(1);
  try {
    let differences = 0;
    const { manifest } = await restoreCluster({
      folder,
      key,
      dataDir,
      at: 'last',
      prepare: async ({ url }) => {
        console.log(`Restored in ${seconds()} s.`);
        await migrate({ url });
        differences = await countDifferences(url);
      },
    });
    console.log(
      `${manifest.name}: ${differences === 0 ? 'everything agrees' : `${differences} differences`}, after ${seconds()} s.`,
    );
    return differences === 0 ? 0 : 1;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};

async function countDifferences(url: string): Promise<number> {
  const pool = makePool({ url, applicationName: 'pahatid rehearsal', max: 3, statementTimeoutMs: 0 });
  try {
    const sinceMs = Math.floor((Date.now() - KEPT_MS) / 60_000) * 60_000;
    const { count, differences } = await findDifferences(pool, { customerId: null, sinceMs, keep: SHOWN });
    for (const { check, what, kept, derived } of differences)
      console.log(`${check} ${what}: ${kept}, derived ${derived}`);
    return count;
  } finally {
    await pool.end();
  }
}
