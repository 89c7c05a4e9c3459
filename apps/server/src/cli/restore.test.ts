/**
 * The drill: messages are under way, a backup is taken, more messages, and the disk is lost. Restored by command, nothing
 * that a carrier took is sent again automatically. `PAHATID_SOAK=1`: 20,000 messages and 10,000 more.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { leaseWriter, makePool, migrate, uuidV7 } from '@pahatid/db';
import { takeBackup, WalCopier } from '@pahatid/db/backup';
import { buildUser } from '@pahatid/db/builders';
import { makeLayout, readPassword, removeEmbedded, startEmbedded } from '@pahatid/db/embedded';
import { decideLane, findOpenRestore } from '@pahatid/db/queries/restores';
import { until } from '@pahatid/testkit';
import type { Pool } from 'pg';
import { listErasure } from '../process/erasure-list.ts';
import { deriveBackupKey, makeSecrets } from '../secrets/secrets.ts';
import { settleRestored } from '../sending/restore/settle-restored.ts';
import { RoutingTable } from '../sending/route/routing-table.ts';
import { findBroken } from '../sending/testing/invariants.ts';
import { masterKey, Scene } from '../sending/testing/scene.ts';
import { assertAgrees } from '../verify/testing/agrees.ts';

const [BEFORE, MORE] = process.env['PAHATID_SOAK'] === undefined ? [600, 300] : [20_000, 10_000];
const TPS = process.env['PAHATID_SOAK'] === undefined ? 60 : 400;
const main = path.join(import.meta.dirname, '../main.ts');
const key = deriveBackupKey(masterKey);

const pahatid = (env: NodeJS.ProcessEnv, ...words: string[]) =>
  promisify(execFile)(process.execPath, [main, ...words], { env: { PATH: process.env['PATH'], ...env } });

/** A program's database in `dataDir`, with a pool that outlives its loss. */
const openDatabase = async (dataDir: string): Promise<{ pool: Pool; url: string; end: () => Promise<void> }> => {
  const { url, stop } = await startEmbedded({ dataDir });
  await migrate({ url });
  const pool = makePool({ url, applicationName: 'pahatid drill', max: 10 });
  const end = async (): Promise<void> => {
    await pool.end();
    await stop();
  };
  return { pool, url, end };
};

const makeFolders = (t: TestContext): { dataDir: string; folder: string; ends: (() => Promise<void>)[] } => {
  const base = mkdtempSync(path.join(os.tmpdir(), 'pahatid-drill-'));
  const dataDir = path.join(base, 'data');
  const ends: (() => Promise<void>)[] = [];
  t.after(async () => {
    for (const end of ends.reverse()) await end();
    await removeEmbedded(dataDir);
    rmSync(base, { recursive: true, force: true });
  });
  return { dataDir, folder: path.join(base, 'backups'), ends };
};

test('S66 P26 the disk is lost while sending: restored, nothing that a carrier took is sent again automatically', async (t) => {
  const { dataDir, folder, ends } = makeFolders(t);
  const env = { PAHATID_DATA: dataDir, PAHATID_SECRET: masterKey.toString('hex'), PAHATID_LOG: 'silent' };
  const lost = await openDatabase(dataDir);
  const scene = await Scene.build({ pool: lost.pool, tps: TPS, windowSize: 10 });
  const simulator = scene.simulator!;
  ends.push(() => simulator.stop());
  const recipients = scene.recipients(BEFORE + MORE);
  await scene.accept(recipients.slice(0, BEFORE));
  const sender = await scene.spawnSender(lost.url);
  await scene.untilSeen(BEFORE / 6);

  const { cluster } = makeLayout(dataDir);
  const copier = new WalCopier({ folder, cluster, key });
  await takeBackup({ url: lost.url, cluster, password: readPassword(makeLayout(dataDir)), folder, key, keep: 2 });
  await scene.accept(recipients.slice(BEFORE));
  await scene.untilSeen(BEFORE / 3);
  // The last copy of the WAL; what is committed from here on comes back in no backup.
  await copier.step(lost.pool);
  await copier.close();
  const atCopy = scene.seen;
  await scene.untilSeen(atCopy + BEFORE / 6);
  // Erased in the meantime: the number's message was delivered long ago.
  const { rows } = await lost.pool.query<{ msisdn: string }>(
    'select msisdn from message where client_status = 2 order by answered_at limit 1',
  );
  const erased = rows[0]!.msisdn;
  const askedBy = uuidV7();
  const secrets = makeSecrets(masterKey);
  await listErasure(folder, secrets, {
    customerId: scene.customerId,
    msisdn: erased,
    askedBy,
    at: new Date().toISOString(),
  });
  sender.kill('SIGKILL');
  await scene.writer.release();
  await lost.end();
  rmSync(dataDir, { recursive: true });
  const sent = scene.seen;

  const rehearsal = await pahatid(env, 'backup', 'rehearse', '--from', folder, '--in', path.dirname(dataDir));
  assert.match(rehearsal.stdout, /^Restored in [\d.]+ s\.\nbase-\S+: everything agrees, after [\d.]+ s\.\n$/);
  assert.deepEqual(
    readdirSync(path.dirname(dataDir)).filter((name) => name.includes('rehearsal')),
    [],
  );

  const startedAt = performance.now();
  const { stdout } = await pahatid(env, 'restore', '--at', 'last', '--from', folder);
  const found = await openDatabase(dataDir);
  ends.push(found.end);
  t.diagnostic(`${BEFORE + MORE} messages: restored and open after ${Math.round(performance.now() - startedAt)} ms`);
  assert.match(
    stdout,
    /Messages that were waiting, and are unconfirmed now: [1-9]\d*\.\nErasures since, asked for again: 1\./,
  );
  assert.match(stdout, /Sending is paused/);
  assert.ok(existsSync(path.join(dataDir, 'master-key')));
  const again = new Scene({ pool: found.pool, port: simulator.port });
  Object.assign(again, { simulator, customerId: scene.customerId, appId: scene.appId, taskId: scene.taskId });
  const { pool } = found;
  const after = await again.states();
  assert.ok(!('0/0' in after), 'nothing waits');
  assert.ok((after['1/0'] ?? 0) >= sent - atCopy, 'what was sent after the last copy is in doubt');
  const { rowCount } = await pool.query('select from message where msisdn = $1', [erased]);
  assert.equal(rowCount, 0, 'an erasure is asked for again before anything serves');

  // The carriers report to the restored system what the lost one had sent; nothing else happens.
  const successor = await again.spawnSender(found.url);
  ends.push(async () => {
    successor.kill('SIGKILL');
    await once(successor, 'exit');
  });
  const restore = (await findOpenRestore(pool))!;
  await until(async () => (await pool.query('select from receipt_inbox where matched_at is null')).rowCount === 0);
  assert.equal(scene.seen, sent);
  const { userId } = await buildUser(pool, { customerId: null, role: 'admin' });
  const decided = { restoreId: restore.restoreId, lane: 2, decision: 'hold', userId, at: new Date() } as const;
  assert.ok(await decideLane(pool, decided));
  again.writer = await leaseWriter(pool, uuidV7());
  again.routing = await RoutingTable.load(pool);
  while ((await settleRestored(pool, again.writer)).isMore);
  await again.accept(again.recipients(15, 900_000));
  await until(async () => (await pool.query('select from batch where state < 2')).rowCount === 0);
  await until(
    async () =>
      (
        await pool.query(
          'select from message where send_status = 3 and client_status < 2 and message_id > (select max(batch_id) from batch) - 1',
        )
      ).rowCount === 0,
  );
  const entries = [...simulator.journal.entries()].filter(({ destination }) => destination !== erased);
  // The row of the erased number has no number any more.
  const broken = await findBroken(pool, entries, { isUnderWay: true });
  assert.deepEqual(
    broken.filter((line) => !line.startsWith('I4  (')),
    [],
  );
  await assertAgrees(pool);
  await again.writer.release();
});
