import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeClient } from '@pahatid/db';
import { type Durability, readDurability } from '@pahatid/db/queries/durability';
import { DebianPostgres, isDebianPostgresInstalled, testDatabase, until } from '@pahatid/testkit';
import { type DatabaseState, findStoppingRisks, listDatabaseRisks, readDatabaseState } from './database-risks.ts';

const { pool, url } = await testDatabase();
const safe: DatabaseState = {
  fsync: true,
  synchronousCommit: 'on',
  fullPageWrites: true,
  isStandby: false,
  standbys: 0,
  isSynchronous: false,
  mayFailOver: false,
  clockOffsetMs: -1_999,
  isArchiving: true,
  archiveFailedAt: null,
  archivedAt: new Date(0),
  unarchivedBytes: 1024 ** 3,
  freeBytes: 1024 ** 3,
};
const linesOf = (change: Partial<DatabaseState>): string[] =>
  listDatabaseRisks({ ...safe, ...change }).map(({ line }) => line);

test('a durable server has no risks, and each setting that takes that away is one', () => {
  assert.deepEqual(listDatabaseRisks(safe), []);
  const changes = [
    { fsync: false },
    { fullPageWrites: false },
    { synchronousCommit: 'off' },
    { isStandby: true },
    { mayFailOver: true },
    { clockOffsetMs: 2_001 },
    { clockOffsetMs: -61_000 },
    { archiveFailedAt: new Date() },
    { isArchiving: false },
    { unarchivedBytes: 1024 ** 3 + 1 },
    { freeBytes: 1024 ** 3 - 1 },
  ];
  for (const change of changes) assert.equal(linesOf(change).length, 1, JSON.stringify(change));
  for (const synchronousCommit of ['local', 'remote_write', 'remote_apply'])
    assert.deepEqual(linesOf({ synchronousCommit }), []);
  assert.deepEqual(linesOf({ unarchivedBytes: 1024 ** 4, archivedAt: new Date() }), [], 'a burst is archived late');
  assert.deepEqual(linesOf({ mayFailOver: true, isSynchronous: true }), [], 'a standby has each commit');
  assert.deepEqual(linesOf({ isArchiving: null, archivedAt: null, unarchivedBytes: null, freeBytes: null }), []);
});

test('settings that lose commits stop senders unless they are allowed, and a standby always does', () => {
  const stopping = (change: Partial<DatabaseState>, allowsUnsafeDatabase: boolean) =>
    findStoppingRisks(listDatabaseRisks({ ...safe, ...change }), { allowsUnsafeDatabase }).map(({ kind }) => kind);
  const off = { fsync: false, fullPageWrites: false, synchronousCommit: 'off', isStandby: true };
  assert.deepEqual(stopping(off, false), ['fsync', 'full_page_writes', 'synchronous_commit', 'standby']);
  assert.deepEqual(stopping(off, true), ['standby']);
  const others = { clockOffsetMs: 9_000, archiveFailedAt: new Date(), freeBytes: 0 };
  assert.deepEqual(stopping(others, false), []);
});

test('the settings are those of the server, and of the connection where a role changes them', async () => {
  const client = await pool.connect();
  try {
    await client.query('set synchronous_commit = local');
    const found = await readDurability(client);
    const { rows } = await client.query(
      `select current_setting('fsync') = 'on' as fsync, current_setting('full_page_writes') = 'on' as pages`,
    );
    assert.deepEqual([found.fsync, found.fullPageWrites], [rows[0].fsync, rows[0].pages]);
    assert.deepEqual([found.synchronousCommit, found.isStandby, found.archiveFailedAt], ['local', false, null]);
    assert.ok(Math.abs(found.clockOffsetMs) < 60_000);
  } finally {
    client.release(true);
  }
});

test('doctor prints each risk and fails', async () => {
  const risks = listDatabaseRisks(await readDatabaseState(pool, { databaseUrl: null, dataDir: '/nonexistent' }));
  const main = path.join(import.meta.dirname, '../main.ts');
  const env = { ...process.env, DATABASE_URL: url, PAHATID_SECRET: 'a'.repeat(64) };
  const { stdout, status } = spawnSync(process.execPath, [main, 'doctor'], { env, encoding: 'utf8' });
  for (const { line } of risks) assert.ok(stdout.includes(`WRONG ${line}`), stdout);
  assert.equal(stdout.includes('ok    durability'), risks.length === 0, stdout);
  assert.equal(status, risks.length === 0 ? 0 : 1);
});

const withoutDebian = { skip: isDebianPostgresInstalled() ? false : 'PostgreSQL 15 of Debian is not installed here' };

test(
  'WAL that is not archived is a risk: without a command, while it fails, and late; a standby is one',
  withoutDebian,
  async () => {
    const server = await DebianPostgres.make();
    const client = () => makeClient({ url: server.url, applicationName: 'pahatid test' });
    const archive = { archive_mode: 'on', wal_level: 'replica' };
    const seen: Durability[] = [];
    const look = async (): Promise<Durability> => {
      const one = client();
      await one.connect();
      seen.push(await readDurability(one));
      await one.end();
      return seen.at(-1)!;
    };
    const ask = async (text: string): Promise<void> => {
      const one = client();
      await one.connect();
      await one.query(text);
      await one.end();
    };
    const switchWal = 'create table if not exists t (); drop table t; select pg_switch_wal()';

    await server.start(archive);
    assert.deepEqual([(await look()).isArchiving, seen[0]?.archivedAt, seen[0]?.unarchivedBytes], [false, null, null]);
    await ask(`alter system set archive_command = 'false'`);
    await ask('select pg_reload_conf()');
    await ask(switchWal);
    await until(async () => (await look()).archiveFailedAt !== null);
    await ask(`alter system set archive_command = 'true'`);
    await ask('select pg_reload_conf()');
    await until(async () => (await look()).archiveFailedAt === null && seen.at(-1)?.archivedAt != null);
    const before = (await look()).unarchivedBytes!;
    assert.ok(before < 2 * 16 * 1024 ** 2, String(before));
    await ask(`alter system set archive_command = ''`);
    await ask('select pg_reload_conf()');
    await until(async () => (await look()).isArchiving === false);
    for (let n = 0; n < 3; n++) await ask(switchWal);
    const after = (await look()).unarchivedBytes!;
    assert.ok(after - before >= 2 * 16 * 1024 ** 2, `${before} to ${after}`);

    await server.stop();
    writeFileSync(path.join(server.data, 'standby.signal'), '');
    await server.start();
    assert.partialDeepStrictEqual(await look(), { isStandby: true, isArchiving: null, unarchivedBytes: null });
  },
);
