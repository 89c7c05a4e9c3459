/** Real clusters: each is backed up while it is written to, lost, and restored. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import pg from 'pg';
import { type Embedded, makeLayout, readPassword, removeEmbedded, startEmbedded } from '../embedded/index.ts';
import { listBackups } from './manifest.ts';
import { RestoreError, restoreCluster } from './restore-cluster.ts';
import { takeBackup } from './take-backup.ts';
import { WalCopier } from './wal-copy.ts';

const base = mkdtempSync(path.join(os.tmpdir(), 'pahatid-backup-'));
const key = randomBytes(32);
const folder = path.join(base, 'backups');
const running: Embedded[] = [];
after(async () => {
  for (const each of running) await each.stop();
  for (const name of readdirSync(base)) if (name.startsWith('data')) await removeEmbedded(path.join(base, name));
  rmSync(base, { recursive: true, force: true });
});

const open = async (name: string) => {
  const dataDir = path.join(base, name);
  const embedded = await startEmbedded({ dataDir });
  running.push(embedded);
  const { cluster } = makeLayout(dataDir);
  const client = new pg.Client(embedded.url);
  await client.connect();
  const close = async (): Promise<void> => {
    await client.end();
    await embedded.stop();
  };
  const options = { url: embedded.url, cluster, password: readPassword(makeLayout(dataDir)), folder, key, keep: 2 };
  return { dataDir, embedded, client, close, options, copier: new WalCopier({ folder, cluster, key }) };
};

const count = async (client: pg.Client): Promise<number> =>
  Number((await client.query('select count(*) as n from t')).rows[0].n);

const restore = (name: string, at: Date | 'last', prepare = async (_: { url: string }): Promise<void> => {}) =>
  restoreCluster({ folder, key, dataDir: path.join(base, name), at, prepare });

test('what was committed before the last copy of the WAL is restored, and the state at an instant', async (t) => {
  const first = await open('data');
  const { client, copier } = first;
  await client.query('create table t (n int, filler text)');
  await client.query('create unlogged table u (n int)');
  let writing = true;
  const writes = (async () => {
    const own = new pg.Client(first.embedded.url);
    await own.connect();
    // Two columns that must agree: a page of one instant and another of the next would show.
    for (let n = 0; writing; n++)
      await own.query(`insert into t select $1::int, repeat(md5($1::int::text), 20) from generate_series(1, 50)`, [n]);
    await own.end();
  })();
  const manifest = await takeBackup(first.options);
  writing = false;
  await writes;
  const atBackup = await count(client);
  assert.ok(atBackup > 0 && manifest.files > 500, `${atBackup} rows, ${manifest.files} files`);

  await client.query(`insert into t values (-1, 'between')`);
  const { rows } = await client.query('select clock_timestamp() as at from pg_sleep(0.01)');
  await client.query(`insert into t values (-2, 'after')`);
  await copier.step(client);
  // More than a segment, so that one is whole and the next one grows.
  await client.query(`insert into t select -3, md5(random()::text) from generate_series(1, 150000)`);
  await copier.step(client);
  await client.query(`insert into t values (-4, 'last')`);
  await copier.step(client);
  await copier.step(client);
  const all = await count(client);
  await client.query(`insert into t values (-5, 'never copied')`);
  assert.match(readdirSync(path.join(folder, manifest.wal)).join(' '), /^[0-9A-F]{24} .*\.part$/);
  const sealed = readFileSync(path.join(folder, manifest.name, 'cluster.sealed'));
  assert.ok(!sealed.includes('between') && !sealed.includes('SCRAM-SHA-256'));
  await copier.close();
  await first.close();

  await t.test('the last one, in a data folder that has none', async () => {
    let seen = 0;
    await restore('data-last', 'last', async ({ url }) => {
      const restored = new pg.Client(url);
      await restored.connect();
      seen = await count(restored);
      await restored.query('create table prepared ()');
      await restored.end();
    });
    assert.equal(seen, all);
    const again = await open('data-last');
    assert.equal(await count(again.client), all);
    await again.client.query('select from prepared');
    await again.client.query('insert into u values (1)');
    await again.close();
  });

  await t.test('an instant, in the place of a cluster, which is kept', async () => {
    await assert.rejects(restore('data-at', new Date('2020-01-01')), RestoreError);
    const other = await open('data-at');
    await assert.rejects(restore('data-at', 'last'), /runs/);
    await other.close();
    const { replaced } = await restore('data-at', rows[0].at);
    assert.ok(replaced !== null && existsSync(path.join(replaced, 'PG_VERSION')));
    const again = await open('data-at');
    assert.equal(await count(again.client), atBackup + 1);
    await again.close();
    await assert.rejects(restore('data-at', new Date(Date.now() + 3_600_000)), /--at last/);
    const kept = await open('data-at');
    assert.equal(await count(kept.client), atBackup + 1, 'a restore that failed changes nothing');
    // What a restored cluster writes never replaces what the lost one wrote.
    const next = await takeBackup(kept.options);
    assert.notEqual(next.wal, manifest.wal);
    await kept.close();
  });

  await t.test('altered, exchanged or sealed with another key, nothing is restored', async () => {
    const { backups } = listBackups(folder, key);
    assert.deepEqual(
      backups.map(({ problem }) => problem),
      [null, null],
    );
    const { refused } = listBackups(folder, randomBytes(32));
    assert.equal(refused.length, 2);
    const [a, b] = backups.map(({ name }) => path.join(folder, name, 'cluster.sealed'));
    const whole = readFileSync(b!);
    const spoiled = Buffer.from(whole);
    spoiled[Math.floor(spoiled.length / 2)]! ^= 1;
    writeFileSync(b!, spoiled);
    await assert.rejects(restore('data-spoiled', 'last'), /altered/);
    writeFileSync(b!, readFileSync(a!));
    assert.match(listBackups(folder, key).backups[1]?.problem ?? '', /cut short/);
    writeFileSync(b!, whole);
    assert.ok(!existsSync(makeLayout(path.join(base, 'data-spoiled')).cluster));
  });
});

test('a backup killed at any instant is never listed, and the next one is whole; old ones and their WAL go', async () => {
  const target = await open('data-killed');
  const own = path.join(base, 'killed');
  const options = { ...target.options, folder: own, key: key.toString('hex') };
  const program = path.join(import.meta.dirname, 'testing/back-up.ts');
  for (const phase of ['start', 'some', 'data', 'manifest']) {
    const child = spawn(process.execPath, [program, phase, JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface(child.stdout)) if (line === phase) child.kill('SIGKILL');
    assert.deepEqual(listBackups(own, key), { backups: [], refused: [] }, phase);
  }
  const names: string[] = [];
  for (let n = 0; n < 3; n++) names.push((await takeBackup({ ...target.options, folder: own })).name);
  assert.deepEqual(
    listBackups(own, key).backups.map(({ name, problem }) => [name, problem]),
    names.slice(1).map((name) => [name, null]),
  );
  const wal = readdirSync(own).filter((name) => name.startsWith('wal-'));
  assert.equal(wal.length, 1);
  const { rows } = await target.client.query(`select count(*) as n from pg_replication_slots`);
  assert.equal(rows[0].n, '1');
  assert.ok(!readdirSync(own).some((name) => name.startsWith('draft-')));
  await target.close();
});
