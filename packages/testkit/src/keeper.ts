/**
 * Runs a PostgreSQL for tests: starts a new one, writes its address to a file, and ends after a minute of inactivity.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectProcess, removeEmbedded, startEmbedded } from '@pahatid/db/embedded';
import pg from 'pg';
import { type KeeperState, keeperFile } from './test-cluster.ts';

const IDLE_MS = 60_000;
const LOOK_EVERY_MS = 3000;

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: keeper.ts FOLDER');
await removeEmbedded(folder);
const embedded = await startEmbedded({ dataDir: folder, fast: true, database: 'postgres' });
const state: KeeperState = {
  pid: process.pid,
  identity: inspectProcess(process.pid)?.identity ?? '',
  url: embedded.url,
};
writeFileSync(`${keeperFile(folder)}.draft`, JSON.stringify(state), { mode: 0o600 });
renameSync(`${keeperFile(folder)}.draft`, keeperFile(folder));

const client = new pg.Client({ connectionString: embedded.url, application_name: 'pahatid test keeper' });
client.on('error', () => {});
await client.connect();
let gone = false;
void embedded.exited.then(() => {
  gone = true;
});
let lastUse = performance.now();
while (!gone && performance.now() - lastUse < IDLE_MS) {
  await sleep(LOOK_EVERY_MS);
  if (await isUsed().catch(() => false)) lastUse = performance.now();
}
rmSync(keeperFile(folder), { force: true });
await client.end().catch(() => {});
await embedded.stop();
await removeEmbedded(folder);

async function isUsed(): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
  );
  return rowCount !== 0;
}
