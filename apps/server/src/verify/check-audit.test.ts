/** The chains of the audit log: made by the database, proven here. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { inScope, MIGRATIONS_FOLDER, migrate, readMigrations, withTransaction, writeAudit } from '@pahatid/db';
import { buildCustomer } from '@pahatid/db/builders';
import { expireAudit } from '@pahatid/db/queries/retention';
import { testDatabase } from '@pahatid/testkit';
import type { Pool, PoolClient } from 'pg';
import type { Findings } from './difference.ts';
import { findDifferences } from './find-differences.ts';

const { pool } = await testDatabase();

const entryOf = (customerId: string | null, after: object | null = null) => ({
  customerId,
  userId: null,
  account: 'someone',
  ip: '203.0.113.7',
  userAgent: 'A browser',
  action: 'edit',
  subjectType: 'template',
  subjectId: 'one',
  before: null,
  after,
});

const verify = async (db: Pool, customerId: string | null = null): Promise<Findings> =>
  await findDifferences(db, { customerId, sinceMs: Date.now() - 60_000, keep: 100 });
const found = async (customerId: string | null): Promise<string[]> =>
  (await verify(pool, customerId)).differences.map(({ check, auditId, what }) => `${check} ${auditId ?? ''} ${what}`);

/** Changes rows as an owner of the machine could: bypassing the triggers. */
const tamper = async (work: (tx: PoolClient) => Promise<unknown>): Promise<void> =>
  withTransaction(pool, async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await work(tx);
  });

const writeSome = async (count: number): Promise<{ customerId: string; ids: string[] }> => {
  const customerId = await buildCustomer(pool, {});
  for (let n = 0; n < count; n++) await writeAudit(pool, entryOf(customerId, { n, text: 'Kumusta, “mundo” 😀' }));
  const { rows } = await pool.query<{ id: string }>(
    'select audit_id::text as id from audit_log where customer_id = $1 order by audit_id',
    [customerId],
  );
  return { customerId, ids: rows.map(({ id }) => id) };
};

test('S56 each customer has a separate chain and staff have one, under concurrent writes', async () => {
  const customers = [await buildCustomer(pool, {}), await buildCustomer(pool, {}), null];
  await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const customerId = customers[n % 3] ?? null;
      const scope = customerId === null ? ({ staff: true } as const) : { customerId };
      await inScope(pool, scope, (tx) => writeAudit(tx, entryOf(customerId, { n })));
    }),
  );
  const findings = await verify(pool);
  assert.deepEqual(findings.differences, []);
  assert.equal(findings.looked.auditEntries, 60);
  assert.deepEqual(
    findings.auditHeads.map(({ entries }) => entries),
    [20, 20, 20],
  );
});

test('S56 two writers to the same chains in different order both succeed', async () => {
  const [a, b] = [await buildCustomer(pool, {}), await buildCustomer(pool, {})];
  const write = async (order: string[]) =>
    withTransaction(pool, async (tx) => {
      for (const customerId of order) await writeAudit(tx, entryOf(customerId));
    });
  await Promise.all(Array.from({ length: 6 }, (_, n) => write(n % 2 ? [a, b] : [b, a])));
  assert.deepEqual(await found(null), []);
});

test('S56 a transaction that is rolled back leaves no gap', async () => {
  const { customerId } = await writeSome(2);
  await assert.rejects(
    withTransaction(pool, async (tx) => {
      await writeAudit(tx, entryOf(customerId));
      throw new Error('no');
    }),
  );
  await writeAudit(pool, entryOf(customerId));
  assert.deepEqual(await found(customerId), []);
});

test('S56 no role changes or removes an entry, not even the owner of the tables', async () => {
  const { customerId } = await writeSome(1);
  for (const text of [
    `update audit_log set account = 'another'`,
    'delete from audit_log',
    'truncate audit_log',
    `update audit_link set hash = previous`,
    'delete from audit_link',
    'delete from audit_chain',
    'truncate audit_chain',
  ]) {
    await assert.rejects(pool.query(text), /append-only/, text);
    await assert.rejects(
      inScope(pool, { customerId }, (tx) => tx.query(text)),
      /permission denied/,
      text,
    );
  }
  const { rows } = await pool.query<{ grants: string }>(
    `select coalesce(string_agg(grantee || ' ' || privilege_type, ', '), '') as grants from information_schema.role_table_grants
     where table_name in ('audit_log', 'audit_link') and privilege_type in ('UPDATE', 'DELETE', 'TRUNCATE')`,
  );
  assert.equal(rows[0]?.grants, '');
});

test('S56 a changed entry is named, and nothing else is', async () => {
  const { customerId, ids } = await writeSome(5);
  for (const change of [
    `account = 'another'`,
    `after = '{"n": 7}'`,
    `at = at - interval '1 microsecond'`,
    `user_agent = null`,
    `account = null, role = account`,
    `ip = null`,
  ]) {
    await tamper((tx) => tx.query(`update audit_log set ${change} where audit_id = $1`, [ids[2]]));
    assert.deepEqual(await found(customerId), [`auditChain ${ids[2]} entry was changed`], change);
  }
  const findings = await verify(pool, customerId);
  assert.equal(findings.differences[0]?.fix, undefined);
});

test('S56 an entry changed along with its hash breaks the chain after it', async () => {
  const { customerId, ids } = await writeSome(5);
  await tamper(async (tx) => {
    await tx.query(`update audit_log set account = 'another' where audit_id = $1`, [ids[2]]);
    await tx.query(
      `update audit_link l set hash = audit_hash(l.previous, l.chain, l.seq, a) from audit_log a
       where a.audit_id = l.audit_id and a.audit_id = $1`,
      [ids[2]],
    );
  });
  assert.deepEqual(await found(customerId), [`auditChain ${ids[3]} link 3 before it was made anew`]);
});

test('S56 an entry that was taken out, a link, the end, and one that was put in are named', async () => {
  const gone = await writeSome(4);
  await tamper((tx) => tx.query('delete from audit_log where audit_id = $1', [gone.ids[1]]));
  assert.deepEqual(await found(gone.customerId), [`auditChain ${gone.ids[1]} entry`]);

  const unlinked = await writeSome(4);
  await tamper(async (tx) => {
    await tx.query('delete from audit_log where audit_id = $1', [unlinked.ids[1]]);
    await tx.query('delete from audit_link where audit_id = $1', [unlinked.ids[1]]);
  });
  assert.deepEqual(await found(unlinked.customerId), [`auditChain ${unlinked.ids[2]} links before it`]);

  const cut = await writeSome(4);
  await tamper(async (tx) => {
    await tx.query('delete from audit_log where audit_id = $1', [cut.ids[3]]);
    await tx.query('delete from audit_link where audit_id = $1', [cut.ids[3]]);
  });
  assert.deepEqual(await found(cut.customerId), ['auditChain  end of the chain']);

  const forged = await writeSome(1);
  await tamper((tx) => writeAudit(tx, entryOf(forged.customerId)));
  assert.match((await found(forged.customerId)).join(), /^auditChain \d+ entry$/);
});

test('S56 entries end after two years, oldest first: the rest of the chain is proven, and nothing younger is deleted', async () => {
  const old = async (ids: string[]) =>
    tamper(async (tx) => {
      await tx.query(`update audit_log set at = at - interval '3 years' where audit_id = any($1)`, [ids]);
      // Chained as if they had been written then.
      for (const id of ids)
        await tx.query(
          `update audit_link l set previous = coalesce((select hash from audit_link p where p.chain = l.chain and p.seq = l.seq - 1), ''),
             hash = audit_hash(coalesce((select hash from audit_link p where p.chain = l.chain and p.seq = l.seq - 1), ''), l.chain, l.seq, a)
           from audit_log a where a.audit_id = l.audit_id and a.audit_id = $1`,
          [id],
        );
    });
  const aged = await writeSome(6);
  await old(aged.ids);
  await tamper((tx) =>
    tx.query(
      `update audit_chain c set hash = (select hash from audit_link l where l.chain = c.chain order by seq desc limit 1) where chain = $1`,
      [aged.customerId],
    ),
  );
  await writeAudit(pool, entryOf(aged.customerId));
  assert.deepEqual(await found(aged.customerId), []);
  const twoYearsAgo = new Date(Date.now() - 731 * 86_400_000);
  const all = await Promise.all([expireAudit(pool, twoYearsAgo, 4), expireAudit(pool, twoYearsAgo, 4)]);
  assert.deepEqual(all.sort(), [2, 4]);
  assert.equal(
    await expireAudit(pool, new Date(), 100).catch((error: Error) => error.message),
    'table audit_link is append-only for two years',
  );
  assert.equal(await expireAudit(pool, twoYearsAgo, 4), 0);
  const { auditHeads, differences, looked } = await verify(pool, aged.customerId);
  assert.deepEqual([differences, looked.auditEntries, auditHeads.map(({ entries }) => entries)], [[], 1, [7]]);
  await tamper((tx) => tx.query(`update audit_log set account = 'another' where customer_id = $1`, [aged.customerId]));
  assert.equal((await found(aged.customerId)).length, 1);
  await assert.rejects(pool.query('delete from audit_log where customer_id = $1', [aged.customerId]), /append-only/);
});

test('S56 where an entry is missing nothing ends, so that verify goes on to report it', async () => {
  const { customerId, ids } = await writeSome(3);
  await tamper(async (tx) => {
    await tx.query(`update audit_log set at = at - interval '3 years' where customer_id = $1`, [customerId]);
    await tx.query('delete from audit_log where audit_id = $1', [ids[1]]);
  });
  assert.equal(await expireAudit(pool, new Date(Date.now() - 731 * 86_400_000), 100), 1);
  assert.ok((await found(customerId)).includes(`auditChain ${ids[1]} entry`));
});

test('S56 what was written before there were chains is chained by the migration', async (t) => {
  const old = await testDatabase({ migrated: false });
  const folder = mkdtempSync(path.join(tmpdir(), 'pahatid-migrations-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const { name, number } of readMigrations())
    if (number <= 12) cpSync(path.join(MIGRATIONS_FOLDER, name), path.join(folder, name));
  await migrate({ url: old.url, folder });
  await old.pool.query(
    `insert into audit_log (customer_id, account, action, subject_type, subject_id, after)
     select case when n <> 2 then '019a0000-0000-7000-8000-000000000001'::uuid end, 'x', 'edit', 'task', n::text, '{"a": 1}'
     from generate_series(1, 3) n`,
  );
  await migrate({ url: old.url });
  const { differences, auditHeads } = await verify(old.pool);
  assert.deepEqual(differences, []);
  assert.deepEqual(
    auditHeads.map(({ entries }) => entries),
    [1, 2],
  );
});
