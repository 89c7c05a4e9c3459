import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { insertRoutes, makePool, messageIdAt, migrate, uuidV7, withTransaction } from '@pahatid/db';
import { removeEmbedded, startEmbedded } from '@pahatid/db/embedded';
import { dropOldRoutes } from '@pahatid/db/queries/partition-dropping';
import { until } from './until.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-dropping-'));
const embedded = await startEmbedded({ dataDir: folder, fast: true });
const pool = makePool({ url: embedded.url, applicationName: 'test' });
after(async () => {
  await pool.end();
  await embedded.stop();
  await removeEmbedded(folder);
  rmSync(folder, { recursive: true, force: true });
});

const ROWS = 20_000;
const AGE_MS = 60 * 86_400_000;

test('a week is dropped although autovacuum is at work on it', async () => {
  await migrate({ url: embedded.url });
  await pool.query("alter system set autovacuum_naptime = '1s'");
  await pool.query('select pg_reload_conf()');
  const atMs = Date.now() - AGE_MS;
  await pool.query('select ensure_partition($1)', [new Date(atMs)]);
  const [supplierId, customerId] = [uuidV7(), uuidV7()];
  const routes = Array.from({ length: ROWS }, (_, n) => {
    const messageId = messageIdAt(atMs, 255) + BigInt(n % 1_000);
    return { supplierId, carrierMessageId: `receipt ${n}`, customerId, messageId, part: 1 };
  });
  await withTransaction(pool, (tx) => insertRoutes(tx, routes));
  const { rows } = await pool.query<{ name: string }>(
    "select name from partition_bounds('dlr_route') order by low limit 1",
  );
  const name = rows[0]!.name;
  // As slow as on a table of many gigabytes.
  await pool.query(`alter table ${name} set (autovacuum_vacuum_insert_threshold = 1, autovacuum_vacuum_insert_scale_factor = 0,
    autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1)`);
  await until(
    async () => {
      const { rowCount } = await pool.query('select from pg_stat_progress_vacuum where relid = $1::regclass', [name]);
      return rowCount === 1;
    },
    { what: 'autovacuum of the partition' },
  );
  assert.deepEqual(await dropOldRoutes(pool, Date.now()), [name]);
  assert.equal((await pool.query('select from dlr_route')).rowCount, 0);
});
