import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePool } from '@pahatid/db';
import { testDatabase } from './test-database.ts';

const db = await testDatabase();

test('a test database has the migrated tables', async () => {
  const { rows } = await db.pool.query('select count(*)::int as files from schema_migration');
  assert.ok(rows[0].files > 0);
});

test('two test databases share no row', async () => {
  const other = await testDatabase();
  await db.pool.query('create table mark (id integer)');
  const found = await other.pool.query(`select to_regclass('mark') as mark`);
  assert.equal(found.rows[0].mark, null);
});

test('a bigint comes whole, a date as written', async () => {
  const { rows } = await db.pool.query(`select 999999999999999999::bigint as id, date '2026-11-21' as day`);
  assert.deepEqual(rows[0], { id: '999999999999999999', day: '2026-11-21' });
});

test('what is still asked when the test ends comes to its end', async () => {
  const db = await testDatabase();
  const asked = db.pool.query('select pg_sleep(0.3)');
  await db.close();
  await asked;
});

test('closing reports an unreleased client, and an open connection', async () => {
  const lent = await testDatabase({ graceMs: 500 });
  const client = await lent.pool.connect();
  client.on('error', () => {});
  await assert.rejects(lent.close(), /1 clients of the pool were not given back/);
  client.release(true);

  const left = await testDatabase({ graceMs: 500 });
  const pool = makePool({ url: left.url, applicationName: 'forgotten' });
  await pool.query('select 1');
  await assert.rejects(left.close(), /connections were left open:\nforgotten: select 1/);
  await pool.end();
});
