import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { makeClient } from './connect.ts';
import { removeEmbedded, startEmbedded } from './embedded/index.ts';
import { migrate, readMigrations } from './migrate.ts';

const base = mkdtempSync(path.join(os.tmpdir(), 'pahatid-migrate-'));
const embedded = await startEmbedded({ dataDir: base, fast: true });
after(async () => {
  await embedded.stop();
  await removeEmbedded(base);
  rmSync(base, { recursive: true, force: true });
});

async function freshDatabase(name: string): Promise<string> {
  const admin = makeClient({ url: embedded.url, applicationName: 'test' });
  await admin.connect();
  await admin.query(`create database ${name} template template0`);
  await admin.end();
  const url = new URL(embedded.url);
  url.pathname = `/${name}`;
  return url.href;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = makeClient({ url, applicationName: 'test' });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(path.join(base, 'files-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

const ONE = { '0001_one.sql': 'create table one (id integer);' };
const TWO = { '0002_two.sql': 'create table two (id integer);' };

test('the migrations of this release run on an empty database, once', async () => {
  const url = await freshDatabase('release');
  assert.deepEqual(
    await migrate({ url }),
    readMigrations().map(({ name }) => name),
  );
  assert.deepEqual(await migrate({ url }), []);
});

test('processes that migrate at the same time run each file once', async () => {
  const url = await freshDatabase('together');
  const ran = await Promise.all([1, 2, 3, 4].map(() => migrate({ url })));
  assert.equal(ran.flat().length, readMigrations().length);
});

test('a later file runs alone on a database that has the earlier ones', async () => {
  const url = await freshDatabase('later');
  assert.deepEqual(await migrate({ url, folder: folderWith(ONE), distributeFile: null }), ['0001_one.sql']);
  assert.deepEqual(await migrate({ url, folder: folderWith({ ...ONE, ...TWO }), distributeFile: null }), [
    '0002_two.sql',
  ]);
});

test('a file that was changed after it had been run is refused, and so is an older release', async () => {
  const url = await freshDatabase('changed');
  const folder = folderWith({ ...ONE, ...TWO });
  await migrate({ url, folder, distributeFile: null });
  appendFileSync(path.join(folder, '0001_one.sql'), '\n-- changed');
  await assert.rejects(
    migrate({ url, folder, distributeFile: null }),
    /0001_one\.sql was changed after it had been run/,
  );
  await assert.rejects(migrate({ url, folder: folderWith(ONE), distributeFile: null }), /0002_two\.sql.*newer/);
});

test('a file that fails leaves nothing behind, keeps those before it, and reports where it failed', async () => {
  const url = await freshDatabase('failing');
  const broken = { '0002_broken.sql': 'create table half (id integer);\n\nselect * from nowhere;' };
  await assert.rejects(
    migrate({ url, folder: folderWith({ ...ONE, ...broken }), distributeFile: null }),
    /^MigrationError: 0002_broken\.sql:3: .*nowhere/,
  );
  const [row] = await query(url, `select to_regclass('one')::text as one, to_regclass('half')::text as half`);
  assert.deepEqual(row, { one: 'one', half: null });
  assert.deepEqual(await query(url, 'select number from schema_migration'), [{ number: 1 }]);
});

test('a number is unique, names are checked', () => {
  assert.throws(() => readMigrations(folderWith({ ...ONE, '0001_twice.sql': '' })), /number 1 is taken/);
  assert.throws(() => readMigrations(folderWith({ '0000_none.sql': '' })), /number 0 is taken/);
  assert.throws(() => readMigrations(folderWith({ 'one.sql': '' })), /named like/);
});

test('a migration that lands late, below numbers that were run, is run late', async () => {
  const url = await freshDatabase('late');
  await migrate({
    url,
    folder: folderWith({ ...ONE, '0003_third.sql': 'create table third ();' }),
    distributeFile: null,
  });
  const late = folderWith({ ...ONE, ...TWO, '0003_third.sql': 'create table third ();' });
  assert.deepEqual(await migrate({ url, folder: late, distributeFile: null }), Object.keys(TWO));
});
