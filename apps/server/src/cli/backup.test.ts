import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { listBackups } from '@pahatid/db/backup';
import { removeEmbedded, startEmbedded } from '@pahatid/db/embedded';
import { until } from '@pahatid/testkit';
import pg from 'pg';
import { pino } from 'pino';
import { keepWal } from '../process/keep-wal.ts';
import { ensureMasterKey } from '../secrets/master-key.ts';
import { deriveBackupKey } from '../secrets/secrets.ts';

const main = path.join(import.meta.dirname, '../main.ts');
const execute = promisify(execFile);

const pahatid = async (env: NodeJS.ProcessEnv, ...words: string[]) => {
  try {
    return {
      code: 0,
      ...(await execute(process.execPath, [main, ...words], { env: { PATH: process.env['PATH'], ...env } })),
    };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
};

test('S66 P26 a backup is taken by command and listed; the WAL follows it while the program runs', async (t) => {
  const base = mkdtempSync(path.join(os.tmpdir(), 'pahatid-cli-backup-'));
  const dataDir = path.join(base, 'data');
  const folder = path.join(base, 'backups');
  t.after(async () => {
    await removeEmbedded(dataDir);
    rmSync(base, { recursive: true, force: true });
  });
  const env = { PAHATID_DATA: dataDir };
  assert.match((await pahatid(env, 'backup', 'list')).stderr, /^PAHATID_SECRET: is not set/);
  assert.match(
    (await pahatid({ ...env, DATABASE_URL: 'postgres://127.0.0.1:1/x', PAHATID_SECRET: '1'.repeat(64) }, 'backup'))
      .stderr,
    /embedded/,
  );
  assert.match((await pahatid(env, 'backup', '--keep', '0')).stderr, /--keep/);

  const key = deriveBackupKey(ensureMasterKey(dataDir));
  const embedded = await startEmbedded({ dataDir });
  const wal = keepWal({ dataDir, key, url: () => embedded.url, log: pino({ level: 'silent' }) });
  // The running database is adopted.
  const taken = await pahatid(env, 'backup', '--to', folder);
  assert.equal(taken.code, 0, taken.stderr);
  assert.match(
    taken.stdout,
    /^.*base-\S+: \d+ files, .*\nThis folder is on the disk of the database.*\nKeep a copy of .*master-key/,
  );
  const listed = await pahatid(env, 'backup', 'list');
  assert.equal(listed.code, 0);
  assert.match(listed.stdout, /^base-\S+ {2}restores \S+ to \S+ {2}\d+ files/);
  assert.equal((await pahatid({ ...env, PAHATID_SECRET: '2'.repeat(64) }, 'backup', 'list')).code, 1);

  const copied = () => listBackups(folder, key).backups[0]?.segments.length ?? 0;
  const before = copied();
  const client = new pg.Client(embedded.url);
  await client.connect();
  // Each commit ends a segment.
  for (let n = 0; n < 3; n++)
    await client.query('create table if not exists t (); drop table t; select pg_switch_wal()');
  await client.end();
  await until(() => copied() >= before + 3);
  await wal.stop();
  await embedded.stop();
  assert.equal(readFileSync(path.join(dataDir, 'backup-folder'), 'utf8'), `${folder}\n`);
});
