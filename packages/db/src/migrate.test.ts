import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeClient } from './connect.ts';
import { removeEmbedded, startEmbedded } from './embedded/index.ts';
import { migrate } from './migrate.ts';
import { readMigrations } from './migration-files.ts';
import { readSchemaState } from './queries/readiness.ts';

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

async function connect(t: TestContext, url: string): Promise<ReturnType<typeof makeClient>> {
  const client = makeClient({ url, applicationName: 'test', statementTimeoutMs: 30_000 });
  await client.connect();
  t.after(() => client.end());
  return client;
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

test('a file that was changed after it had been run is refused', async () => {
  const url = await freshDatabase('changed');
  const folder = folderWith({ ...ONE, ...TWO });
  await migrate({ url, folder, distributeFile: null });
  appendFileSync(path.join(folder, '0001_one.sql'), '\n-- changed');
  await assert.rejects(
    migrate({ url, folder, distributeFile: null }),
    /0001_one\.sql was changed after it had been run/,
  );
});

test('the previous release runs on what a newer one migrated, unless a file needs what it lacks', async () => {
  const url = await freshDatabase('newer');
  const newer = { ...ONE, ...TWO, '0003_last.sql': '-- pahatid: needs 0002\ndrop table one;' };
  await migrate({ url, folder: folderWith({ ...ONE, ...TWO }), distributeFile: null });
  assert.deepEqual(await migrate({ url, folder: folderWith(ONE), distributeFile: null }), []);
  await migrate({ url, folder: folderWith(newer), distributeFile: null });
  assert.deepEqual(await migrate({ url, folder: folderWith({ ...ONE, ...TWO }), distributeFile: null }), []);
  await assert.rejects(
    migrate({ url, folder: folderWith(ONE), distributeFile: null }),
    /0003_last\.sql, which needs migration 2, which this release lacks/,
  );
});

test('a process is ready on its own schema and a newer one, and not while one of them is missing or unmet', async (t) => {
  const url = await freshDatabase('ready');
  await migrate({ url });
  const client = await connect(t, url);
  const state = () => readSchemaState(client);
  assert.equal(await state(), 'ok');
  await client.query(`insert into schema_migration (number, name, checksum) values (9001, '9001_expand.sql', '')`);
  assert.equal(await state(), 'ok');
  await client.query(`update schema_migration set needs = 104 where number = 9001`);
  assert.equal(await state(), 'ok');
  await client.query(`update schema_migration set needs = 9000 where number = 9001`);
  assert.equal(await state(), 'ahead');
  await client.query('delete from schema_migration where number in (9001, 104)');
  assert.equal(await state(), 'behind');
  await client.query('alter table schema_migration drop column needs');
  assert.equal(await state(), 'behind');
  await client.query('delete from schema_migration');
  assert.equal(await state(), 'behind');
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

const PARTITIONED = {
  '0001_sent.sql': `create table sent (id integer, at integer) partition by range (id);
    create table sent_low partition of sent for values from (0) to (100);
    create table sent_default partition of sent default;
    insert into sent select i, i from generate_series(0, 199) i;`,
};
const INDEXED = {
  ...PARTITIONED,
  '0002_sent_at.sql': '-- pahatid: no-transaction\ncreate index concurrently sent_at on sent (at)\n  where at > 0;\n',
};

/** Waits until the migrating process waits for another transaction; returns its process id on the server. */
async function untilMigrationWaits(url: string): Promise<number> {
  for (;;) {
    const [row] = await query(
      url,
      `select pid from pg_stat_activity where application_name = 'pahatid migrate' and datname = current_database()
       and wait_event_type = 'Lock' and query like 'create index concurrently%'`,
    );
    if (row !== undefined) return Number(row['pid']);
    await sleep(20);
  }
}

const validIndexes = (url: string) =>
  query(
    url,
    `select c.relname as name, x.indisvalid as valid from pg_index x join pg_class c on c.oid = x.indexrelid
     where c.relname like 'sent%' order by 1`,
  );

test('an index of a partitioned table is built while rows are written; a build that was cut is done again', async (t) => {
  const url = await freshDatabase('indexed');
  await migrate({ url, folder: folderWith(PARTITIONED), distributeFile: null });
  const folder = folderWith(INDEXED);
  const [reader, other] = await Promise.all([connect(t, url), connect(t, url)]);
  await reader.query('begin isolation level repeatable read; select from sent');
  const cut = assert.rejects(migrate({ url, folder, distributeFile: null }));
  const pid = await untilMigrationWaits(url);
  await other.query('insert into sent values (2, 2), (150, 150)');
  await query(url, `select pg_terminate_backend(${pid})`);
  await cut;
  assert.ok((await validIndexes(url)).some(({ valid }) => valid === false));
  assert.deepEqual(await query(url, 'select number from schema_migration where number = 2'), []);
  await reader.query('commit');
  assert.deepEqual(await migrate({ url, folder, distributeFile: null }), ['0002_sent_at.sql']);
  assert.deepEqual(await validIndexes(url), [
    { name: 'sent_at', valid: true },
    { name: 'sent_default_at', valid: true },
    { name: 'sent_low_at', valid: true },
  ]);
  await other.query('drop table sent_default; create table sent_high partition of sent for values from (100) to (200)');
  assert.ok((await validIndexes(url)).every(({ valid }) => valid === true));
});

test('processes that migrate at the same time do not wait for each other while an index is built', async () => {
  const url = await freshDatabase('indexed_together');
  const plain = {
    '0001_one.sql': 'create table one (id integer);',
    '0002_one_id.sql': '-- pahatid: no-transaction\ncreate unique index concurrently one_id on one (id);',
    '0003_one_id.sql': '-- pahatid: no-transaction\ndrop index concurrently one_id;',
  };
  const folder = folderWith(plain);
  const ran = await Promise.all([1, 2, 3].map(() => migrate({ url, folder, distributeFile: null })));
  assert.deepEqual(ran.flat().sort(), Object.keys(plain));
  assert.deepEqual(await query(url, `select from pg_class where relname = 'one_id'`), []);
});

test('without a transaction a file only builds and drops indexes; an unknown header is refused', async () => {
  const url = await freshDatabase('refused');
  const folder = folderWith({ '0001_one.sql': '-- pahatid: no-transaction\ncreate table one (id integer);' });
  await assert.rejects(migrate({ url, folder, distributeFile: null }), /0001_one\.sql: without a transaction only/);
  assert.throws(
    () => readMigrations(folderWith({ '0001_one.sql': '-- pahatid: quickly' })),
    /unknown header “quickly”/,
  );
});
