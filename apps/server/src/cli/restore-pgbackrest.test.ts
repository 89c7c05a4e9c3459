/**
 * P26 with an external PostgreSQL, backed up by pgBackRest as its operator would: stanza, backup, more traffic, a lost data
 * directory, restore. Needs PostgreSQL 15 and pgBackRest of Debian.
 */
import assert from 'node:assert/strict';
import { chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { leaseWriter, makePool, migrate, uuidV7 } from '@pahatid/db';
import { buildUser } from '@pahatid/db/builders';
import { decideLane, findOpenRestore, listPausedLanes } from '@pahatid/db/queries/restores';
import { DebianPostgres, isDebianPostgresInstalled, Program } from '@pahatid/testkit';
import { listErasure } from '../process/erasure-list.ts';
import { makeSecrets } from '../secrets/secrets.ts';
import { settleRestored } from '../sending/restore/settle-restored.ts';
import { masterKey, Scene } from '../sending/testing/scene.ts';

const PGBACKREST = '/usr/bin/pgbackrest';
const main = path.join(import.meta.dirname, '../main.ts');
const isInstalled = isDebianPostgresInstalled() && existsSync(PGBACKREST);
const secrets = makeSecrets(masterKey);

/** pgBackRest with a repository in the server's folder. */
function configure(server: DebianPostgres): { run: (...words: readonly string[]) => string; archiveCommand: string } {
  const folder = (name: string): string => {
    const made = path.join(server.folder, name);
    mkdirSync(made);
    if (server.user.uid !== undefined) chownSync(made, server.user.uid, server.user.gid);
    return made;
  };
  const config = path.join(server.folder, 'pgbackrest.conf');
  writeFileSync(
    config,
    [
      ...['[global]', `repo1-path=${folder('repository')}`, `log-path=${folder('log')}`, `lock-path=${folder('lock')}`],
      ...['start-fast=y', 'log-level-console=warn', 'repo1-retention-full=2'],
      ...['[pahatid]', `pg1-path=${server.data}`, `pg1-port=${server.port}`, `pg1-socket-path=${server.folder}`],
      ...['pg1-user=pahatid', 'pg1-database=postgres', ''],
    ].join('\n'),
  );
  const common = [`--config=${config}`, '--stanza=pahatid'];
  return {
    run: (...words) => server.run(PGBACKREST, ...common, ...words),
    archiveCommand: `${PGBACKREST} ${common.join(' ')} archive-push %p`,
  };
}

test('P26 a database restored by pgBackRest and marked sends nothing by itself, repeats erasures, and sends once a person decides', {
  skip: isInstalled ? false : 'PostgreSQL 15 and pgBackRest of Debian are not installed here',
}, async (t) => {
  // The last is done first, and all before the server stops.
  const ends: (() => Promise<unknown>)[] = [];
  t.after(async () => {
    for (const end of ends.reverse()) await end().catch(() => {});
  });
  const server = await DebianPostgres.make();
  const { run, archiveCommand } = configure(server);
  const settings = { archive_mode: 'on', wal_level: 'replica', archive_command: archiveCommand, fsync: 'off' };
  await server.start(settings);
  run('stanza-create');
  run('check');
  await migrate({ url: server.url });
  let pool = makePool({ url: server.url, applicationName: 'pahatid test' });
  const scene = await Scene.build({ pool });
  ends.push(async () => await scene.simulator?.stop());

  await scene.accept(scene.recipients(40));
  const before = await scene.startSender();
  await scene.untilStates({ '3/2': 40 });
  await before.stop();
  // They wait in the backup, and are sent after it.
  await scene.accept(scene.recipients(30, 1_000));
  run('backup', '--type=full');
  const backupAt = new Date();
  const sender = await scene.startSender();
  await scene.untilStates({ '3/2': 70 });
  await scene.accept(scene.recipients(20, 2_000));
  await scene.untilStates({ '3/2': 90 });
  await sender.stop();
  const seen = scene.seen;
  const erased = scene.recipients(1)[0]!.msisdn;
  const erasures = path.join(server.folder, 'erasures-list');
  await listErasure(erasures, secrets, {
    ...{ customerId: scene.customerId, msisdn: erased, askedBy: '01990000-0000-7000-8000-000000000001' },
    at: new Date().toISOString(),
  });
  await scene.writer.release();
  await pool.end();

  await server.stop('SIGQUIT');
  rmSync(server.data, { recursive: true });
  run('restore', '--type=immediate', '--target-action=promote');
  await server.start(settings);
  const env = {
    DATABASE_URL: server.url,
    PAHATID_SECRET: masterKey.toString('hex'),
    PAHATID_DATA: path.join(server.folder, 'pahatid'),
    PAHATID_ERASURE_FOLDER: erasures,
  };
  const program = new Program([main, 'restore', '--mark', backupAt.toISOString()], { env });
  assert.equal(await program.ended(), 0, program.output);
  assert.match(program.output, /unconfirmed now: 30\.\nErasures since, asked for again: 1\./);

  pool = makePool({ url: server.url, applicationName: 'pahatid test' });
  const restored = new Scene({ ...scene.options, pool });
  assert.deepEqual(await restored.states(), { '1/0': 30, '3/2': 40 });
  assert.equal((await pool.query('select from message where msisdn = $1', [erased])).rowCount, 0);
  assert.deepEqual(await listPausedLanes(pool), [1, 2, 3]);
  ends.push(() => pool.end());
  const again = await restored.startSender();
  ends.push(() => again.stop());
  const { restoreId } = (await findOpenRestore(pool))!;
  // What a sender would do first: it claims, looks at what is due, and asks again.
  again.engine.wake();
  await restored.untilStates({ '1/0': 30, '3/2': 40 });
  assert.equal(scene.seen, seen, 'something was sent by itself');

  const { userId } = await buildUser(pool, { customerId: null, role: 'admin' });
  assert.ok(await decideLane(pool, { restoreId, lane: 2, decision: 'release', userId, at: new Date() }));
  const writer = await leaseWriter(pool, uuidV7());
  while ((await settleRestored(pool, writer)).isMore);
  await writer.release();
  again.engine.wake();
  await restored.untilStates({ '3/2': 70 });
  // Every tenth has two segments.
  assert.equal(scene.seen, seen + 33);
});
