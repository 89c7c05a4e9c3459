/** New migrations run while the release before sends: they are read and, on tables with rows, measured. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { MIGRATIONS_FOLDER, type Migration, makeClient, migrate, readMigrations } from '@pahatid/db';
import {
  findUnsafeStatements,
  LARGE_TABLES,
  LAST_BEFORE_RELEASES,
  measureMigration,
} from '@pahatid/db/migration-rules';
import { testDatabase } from './test-database.ts';

const db = await testDatabase({ migrated: false });
const isNew = ({ number }: { number: number }): boolean => number > LAST_BEFORE_RELEASES;

/** One row in each large table, with values that its checks allow: what counts is that a scan finds something. */
const oneRow = `
  do $$
  declare t text; list text; vals text;
  begin
    set local session_replication_role = replica;
    foreach t in array '{${LARGE_TABLES.join(',')}}'::text[] loop
      select string_agg(quote_ident(a.attname), ','), string_agg(case
          when y.typcategory = 'A' then quote_literal('{}') when y.typname = 'uuid' then 'gen_random_uuid()'
          when y.typname like 'timestamp%' then 'now()' when y.typcategory = 'N' then '1'
          when y.typname = 'bool' then 'false' when y.typname in ('json', 'jsonb') then quote_literal('{}')
          when a.attname = 'type' then quote_literal('test') else quote_literal('topUp') end, ',')
        into list, vals
        from pg_attribute a join pg_type y on y.oid = a.atttypid
        where a.attrelid = t::regclass and a.attnum > 0 and a.attnotnull and a.attgenerated = '' and a.attidentity = ''
          and not a.atthasdef;
      execute format('insert into %I (%s) values (%s)', t, list, vals);
    end loop;
  end $$`;

test('the migrations since the first release neither rewrite a large table nor read it under a lock', async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-rules-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const release = ({ name }: Migration) => cpSync(path.join(MIGRATIONS_FOLDER, name), path.join(folder, name));
  for (const migration of readMigrations()) if (!isNew(migration)) release(migration);
  await migrate({ url: db.url, folder, distributeFile: null });
  const client = makeClient({ url: db.url, applicationName: 'test' });
  await client.connect();
  t.after(() => client.end());
  await client.query(oneRow);
  for (const migration of readMigrations().filter(isNew)) {
    assert.deepEqual(findUnsafeStatements(migration), []);
    release(migration);
    if (migration.inTransaction) {
      assert.deepEqual(await measureMigration(client, migration.text), [], migration.name);
      const { number, name, checksum } = migration;
      await client.query('insert into schema_migration (number, name, checksum) values ($1, $2, $3)', [
        number,
        name,
        checksum,
      ]);
    }
    // Indexes that are built concurrently hold no lock that stops writers.
    else await migrate({ url: db.url, folder, distributeFile: null });
  }

  const measured = async (text: string) => measureMigration(client, text);
  assert.deepEqual(await measured('alter table message add column note text'), []);
  assert.deepEqual(await measured(`alter table message add column kind smallint not null default 1`), []);
  assert.deepEqual(await measured('alter table ledger add constraint c check (segments >= 0) not valid'), []);
  assert.deepEqual(await measured('alter table ledger validate constraint c'), []);
  assert.deepEqual(await measured('alter table ledger alter column segments type bigint'), ['ledger was rewritten']);
  assert.deepEqual(await measured('alter table batch add column token uuid default gen_random_uuid()'), [
    'batch was rewritten',
  ]);
  assert.deepEqual(await measured('create index batch_done on batch (done_at)'), [
    'batch was read while it was locked',
  ]);
  const [scanned = ''] = await measured(`update message set note = ''; alter table message alter note set not null`);
  assert.match(scanned, /^message_\w+ was read while it was locked$/);
});

test('statements that lock a large table for long, or remove what is used, are refused with what to do instead', () => {
  const find = (text: string, needs: number | null = null) =>
    findUnsafeStatements({ name: '0200_x.sql', text, needs }).map((line) => line.slice(line.indexOf(': ') + 2));
  const refused: readonly (readonly [string, RegExp])[] = [
    ['alter table message alter column price type bigint', /changes a type/],
    ['alter table only message_default\n  add column at timestamptz default clock_timestamp()', /computed default/],
    ['alter table ledger add column n bigserial', /computed for each row/],
    ['alter table batch add constraint c check (round >= 0)', /not valid/],
    ['create unique index x on dlr_route (message_id)', /create index concurrently/],
    ['vacuum full message', /rewrites the table/],
    ["update message set note = ';' where note is null", /let a job/],
    ["do $$ begin update message set note = ''; end $$", /block/],
    ['alter table task drop column note', /one release later/],
    ['alter table task rename column note to remark', /renames/],
    ['drop table enquiry', /one release later/],
  ];
  for (const [text, problem] of refused) {
    const found = find(`-- comment; of two parts\nselect 1;\n${text};`);
    assert.equal(found.length, 1, text);
    assert.match(found[0] ?? '', problem, text);
  }
  for (const text of [
    'alter table message add column note text',
    'alter table message add column at timestamptz default now()',
    'alter table batch add constraint c check (round >= 0) not valid',
    'alter table task drop constraint task_check',
    'alter table message alter column note drop not null',
    '-- update message',
    'create index concurrently x on message (msisdn)',
    'create function f() returns void language sql as $$ delete from message where false $$',
    'create table message_note (customer_id uuid)',
    'create index x on message_note (customer_id)',
    'update task set note = null',
  ])
    assert.deepEqual(find(text), [], text);
  assert.deepEqual(find('alter table task drop column note; drop table enquiry', 150), []);
  assert.match(
    findUnsafeStatements({ name: '0200_x.sql', text: 'select 1;\n\nvacuum full message', needs: null })[0] ?? '',
    /^packages\/db\/migrations\/0200_x\.sql:3: /,
  );
});
