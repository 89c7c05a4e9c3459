/** The second barrier around customers: row level security. It is here because it needs a migrated database. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inScope, uuidV7 } from '@pahatid/db';
import { buildApplication, buildCustomer, buildTask, buildUser } from '@pahatid/db/builders';
import { testDatabase } from './test-database.ts';

const { pool } = await testDatabase();

interface CatalogueRow {
  name: string;
  is_secured: boolean;
  policies: string[];
  may_read: boolean;
  has_application: boolean;
}
const { rows: tables } = await pool.query<CatalogueRow>(
  `select c.relname as name, c.relrowsecurity as is_secured, has_table_privilege('pahatid_tenant', c.oid, 'select') as may_read,
     array(select p.polname::text from pg_policy p where p.polrelid = c.oid order by 1) as policies,
     exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'app_id' and not a.attisdropped)
       as has_application
   from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'customer_id' and not a.attisdropped)
   order by c.relname`,
);

/** Money is the customer's as a whole; the audit log names applications as actors. */
const ofCustomerAlone = ['audit_log', 'ledger', 'ledger_day'];

test('S4 every table with a customer has its policy, and no partition is reached by its own name', async () => {
  assert.ok(tables.length >= 25);
  for (const { name, is_secured, policies, has_application } of tables) {
    assert.ok(is_secured, `${name} has no row level security`);
    const ofApplication = has_application && !ofCustomerAlone.includes(name) ? [`${name}_application`] : [];
    assert.deepEqual(policies, [...ofApplication, `${name}_tenant`], name);
  }
  const { rows } = await pool.query<{ name: string; is_open: boolean }>(
    `select relname as name, has_table_privilege('pahatid_tenant', oid, 'select, insert, update, delete') as is_open
     from pg_class where relispartition and relkind = 'r'`,
  );
  assert.ok(rows.length > 0);
  assert.deepEqual(
    rows.filter((row) => row.is_open).map((row) => row.name),
    [],
  );
});

test('S4 without the setting the role reads nothing, with it only the rows of that customer, for any query', async () => {
  const [mine, theirs] = [await buildCustomer(pool, {}), await buildCustomer(pool, {})];
  for (const customerId of [mine, theirs]) {
    await buildUser(pool, { customerId, role: 'owner' });
    const appId = await buildApplication(pool, { customerId });
    await buildTask(pool, { customerId, taskStatus: 1, appId });
  }
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`set local role pahatid_tenant`);
    for (const { name, may_read } of tables.filter((table) => table.may_read)) {
      const { rows } = await client.query<{ n: number }>(`select count(customer_id)::int as n from ${name}`);
      assert.equal(rows[0]?.n, 0, name);
      assert.ok(may_read);
    }
    await client.query('rollback');
  } finally {
    client.release();
  }
  await inScope(pool, { customerId: mine }, async (tx) => {
    for (const name of ['customer', 'app_user', 'application', 'task', 'balance']) {
      const { rows } = await tx.query(`select distinct customer_id from ${name}`);
      assert.deepEqual(rows, [{ customer_id: mine }], name);
    }
    assert.equal((await tx.query('update task set task_name = $1 where customer_id = $2', ['x', theirs])).rowCount, 0);
  });
  await assert.rejects(
    inScope(pool, { customerId: mine }, (tx) =>
      tx.query(`insert into opt_out (customer_id, msisdn, source, created_at) values ($1, '639', 'test', now())`, [
        theirs,
      ]),
    ),
    /row-level security/,
  );
});

test('S4 what belongs to no customer is closed to the role: sessions, password hashes, secrets of carriers, migrations', async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'customer_id' and not a.attisdropped)
       and has_table_privilege('pahatid_tenant', c.oid, 'insert, update, delete') order by 1`,
  );
  assert.deepEqual(
    rows.map((row) => row.name),
    [],
  );
  const scope = { customerId: uuidV7() };
  for (const text of [
    'select 1 from session',
    'select password_hash from app_user',
    'select password_sealed from supplier',
    'select 1 from schema_migration',
    'update ledger set amount = 0',
    'delete from audit_log',
  ])
    await assert.rejects(
      inScope(pool, scope, (tx) => tx.query(text)),
      /permission denied/,
      text,
    );
});

test('S4 of what belongs to applications, the software of one reads and writes its own, and what belongs to none', async () => {
  const customerId = await buildCustomer(pool, {});
  const [appId, second] = [await buildApplication(pool, { customerId }), await buildApplication(pool, { customerId })];
  const [mine, theirs, nobodys] = [
    await buildTask(pool, { customerId, taskStatus: 1, appId }),
    await buildTask(pool, { customerId, taskStatus: 1, appId: second }),
    await buildTask(pool, { customerId, taskStatus: 1 }),
  ];
  await inScope(pool, { customerId, appId }, async (tx) => {
    const { rows } = await tx.query<{ id: string }>('select task_id as id from task');
    assert.deepEqual(rows.map(({ id }) => id).sort(), [mine, nobodys].sort());
    assert.equal((await tx.query('update task set task_name = $1 where task_id = $2', ['x', theirs])).rowCount, 0);
    assert.equal((await tx.query('select 1 from application')).rowCount, 1);
  });
  await assert.rejects(
    inScope(pool, { customerId, appId }, (tx) =>
      tx.query('update task set app_id = $1 where task_id = $2', [second, mine]),
    ),
    /row-level security/,
  );
  // The setting ends with the transaction: a member's next one on the same connection sees all.
  const { rowCount } = await inScope(pool, { customerId }, (tx) => tx.query('select 1 from task'));
  assert.equal(rowCount, 3);
});
