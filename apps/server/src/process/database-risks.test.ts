import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { readDurability } from '@pahatid/db/queries/durability';
import { testDatabase } from '@pahatid/testkit';
import { listDatabaseRisks } from './database-risks.ts';

const { pool, url } = await testDatabase();
const safe = {
  fsync: true,
  synchronousCommit: 'on',
  fullPageWrites: true,
  isStandby: false,
  clockOffsetMs: -1_999,
  archiveFailedAt: null,
};

test('a durable server has no risks, and each setting that takes that away is one', () => {
  assert.deepEqual(listDatabaseRisks(safe), []);
  const changes = [
    { fsync: false },
    { fullPageWrites: false },
    { synchronousCommit: 'off' },
    { isStandby: true },
    { clockOffsetMs: 2_001 },
    { clockOffsetMs: -61_000 },
    { archiveFailedAt: new Date() },
  ];
  for (const change of changes)
    assert.equal(listDatabaseRisks({ ...safe, ...change }).length, 1, JSON.stringify(change));
  for (const synchronousCommit of ['local', 'remote_write', 'remote_apply'])
    assert.deepEqual(listDatabaseRisks({ ...safe, synchronousCommit }), []);
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
  const risks = listDatabaseRisks(await readDurability(pool));
  const main = path.join(import.meta.dirname, '../main.ts');
  const env = { ...process.env, DATABASE_URL: url, PAHATID_SECRET: 'a'.repeat(64) };
  const { stdout, status } = spawnSync(process.execPath, [main, 'doctor'], { env, encoding: 'utf8' });
  for (const risk of risks) assert.ok(stdout.includes(`WRONG ${risk}`), stdout);
  assert.equal(stdout.includes('ok    durability'), risks.length === 0, stdout);
  assert.equal(status, risks.length === 0 ? 0 : 1);
});
