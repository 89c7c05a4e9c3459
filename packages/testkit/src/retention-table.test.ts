/** Operators find each table of the database, with how long its rows stay, in the table of docs/operations.md. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { testDatabase } from './test-database.ts';

const { pool } = await testDatabase();
const document = readFileSync(path.join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');

test('the document says of each table once how long its rows are kept, and of no table that does not exist', async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition order by 1`,
  );
  const section = /## Data retention\n(.*?)\n## /s.exec(document)?.[1] ?? '';
  const named = section
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('|--'))
    .flatMap((line) => [...(line.split('|')[2] ?? '').matchAll(/`(\w+)`/g)].map((match) => match[1]));
  assert.deepEqual(named.sort(), rows.map(({ name }) => name).sort());
});
