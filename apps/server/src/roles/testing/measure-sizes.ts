/**
 * Measures the bytes of a row in every table, with those of its indexes, on an embedded PostgreSQL with the demo's data. Run
 * by the bench. Prints one JSON object: rows, and bytes a row, by table; a partitioned table is the sum of its partitions.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makePool, migrate, uuidV7, writeAudit } from '@pahatid/db';
import { startEmbedded } from '@pahatid/db/embedded';
import { pino } from 'pino';
import { foldLedgers } from '../../features/billing/fold-ledger.ts';
import { foldEndedHours } from '../../features/statistics/fold-hours.ts';
import { readConfig } from '../../process/config.ts';
import { seed, seedPlatformData } from '../seed.ts';

/** The demo has none. */
const AUDIT_ENTRIES = 300;

const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
const database = await startEmbedded({ dataDir });
const pool = makePool({ url: database.url, applicationName: 'pahatid bench', statementTimeoutMs: 0 });

/** As it is stored, with its header and the pointer to it: what a page of full rows costs, less its fill factor. */
const measure = async (table: string): Promise<{ rows: number; row: number; indexes: number }> => {
  const { rows } = await pool.query<{ rows: number; row: number | null; indexes: number }>(
    `select (select count(*) from ${table})::int as rows, (select avg(pg_column_size(t.*)) + 4 from ${table} t)::float8 as row,
       (select coalesce(sum(pg_indexes_size(c.oid)), 0) from pg_class c left join pg_inherits i on i.inhrelid = c.oid
        where (c.oid = $1::regclass or i.inhparent = $1::regclass) and c.relkind = 'r')::float8 as indexes`,
    [table],
  );
  const found = rows[0]!;
  return { rows: found.rows, row: found.row ?? 0, indexes: found.rows === 0 ? 0 : found.indexes / found.rows };
};

try {
  await migrate({ url: database.url });
  await seedPlatformData(database.url);
  const config = readConfig({ PAHATID_DATA: dataDir });
  await seed(database.url, Buffer.alloc(32, 1), config);
  const context = { pool, log: pino({ level: 'silent' }), owner: '', offsetMs: 0 };
  for (let n = 0; n < AUDIT_ENTRIES; n++)
    await writeAudit(pool, {
      ...{ customerId: null, userId: uuidV7(), account: 'operator', role: 'operator', ip: '203.0.113.7' },
      userAgent: 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      ...{ action: 'edit', subjectType: 'task', subjectId: uuidV7() },
      ...{ before: { taskName: 'Before', planFlag: 0 }, after: { taskName: 'After', planFlag: 1 } },
    });
  await foldLedgers(context);
  await foldEndedHours(context);
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition order by 1`,
  );
  const sizes: Record<string, unknown> = {};
  for (const { name } of tables) {
    await pool.query(`reindex table ${name}`);
    sizes[name] = await measure(name);
  }
  console.log(JSON.stringify(sizes));
} finally {
  await pool.end();
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
