/** Migrations and partitions need strong locks. While queued behind a long reader they must not block other readers. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { ensurePartitions, isLockTimeout, leaseWriter, makeClient, migrate, uuidV7 } from '@pahatid/db';
import { testDatabase, until } from '@pahatid/testkit';

const db = await testDatabase();
const { pool, url } = db;

/** A reader with an open transaction, and a plain query that times out if it must queue. */
async function openReaders(
  t: TestContext,
  table: string,
): Promise<{ look: () => Promise<void>; end: () => Promise<void> }> {
  const long = makeClient({ url, applicationName: 'long reader' });
  const other = makeClient({ url, applicationName: 'other reader', statementTimeoutMs: 15_000 });
  for (const client of [long, other]) {
    await client.connect();
    t.after(() => client.end());
  }
  await long.query('begin');
  await long.query(`select from ${table}`);
  return {
    look: async () => void (await other.query(`select from ${table}`)),
    end: async () => void (await long.query('commit')),
  };
}

/** Waits until a process waits for a lock on the table. */
const untilWaiting = (table: string) =>
  until(
    async () =>
      (await pool.query('select from pg_locks where not granted and relation = $1::regclass', [table])).rowCount === 1,
    { everyMs: 5, what: `a waiter for ${table}` },
  );

test('a migration behind a long reader blocks no other reader, and runs when the reader has ended', async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-busy-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { rows } = await pool.query<{ number: number; name: string; checksum: string }>(
    'select * from schema_migration',
  );
  await pool.query('delete from schema_migration');
  t.after(async () => {
    await pool.query('delete from schema_migration');
    for (const { number, name, checksum } of rows)
      await pool.query('insert into schema_migration values ($1, $2, $3)', [number, name, checksum]);
  });
  await pool.query('create table busy (id integer)');
  writeFileSync(path.join(folder, '0001_more.sql'), 'alter table busy add column more integer;');
  const { look, end } = await openReaders(t, 'busy');
  const busy: string[] = [];
  const running = migrate({ url, folder, distributeFile: null, onBusy: (name) => busy.push(name) });
  for (let round = 0; round < 2; round++) {
    await untilWaiting('busy');
    await look();
  }
  assert.ok(busy.length > 0 && busy.every((name) => name === '0001_more.sql'));
  await end();
  assert.deepEqual(await running, ['0001_more.sql']);
});

test('a partition behind a long reader blocks no other reader, nor a starting process; it is created later', async (t) => {
  await ensurePartitions(pool, 2);
  const { rows } = await pool.query<{ name: string }>(
    `select b.name from unnest('{message,dlr_route}'::regclass[]) t cross join lateral partition_bounds(t) b
     where b.low > id_floor(now())`,
  );
  const names = rows.map(({ name }) => name);
  await pool.query(`drop table ${names.join(', ')}`);
  const { look, end } = await openReaders(t, 'message');
  const attempt = assert.rejects(ensurePartitions(pool, 2), isLockTimeout);
  await untilWaiting('message_default');
  await look();
  await attempt;
  // This week's partition is there.
  await (await leaseWriter(pool, uuidV7())).release();
  await end();
  await ensurePartitions(pool, 2);
  assert.equal((await pool.query('select from pg_class where relname = any($1)', [names])).rowCount, 4);
});
