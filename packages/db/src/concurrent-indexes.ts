/**
 * Indexes that are built or dropped while rows are written. PostgreSQL does neither in a transaction, so an interrupted
 * build leaves an invalid index: the next attempt drops it and builds it again, and skips those that are complete.
 *
 * A partitioned table can't be indexed concurrently as a whole. Its own index is created empty, one is built on each
 * partition and attached; with the last one the whole becomes valid. Partitions created meanwhile bring theirs along.
 */
import type pg from 'pg';
import { MigrationError } from './migration-files.ts';

export interface IndexStep {
  readonly action: 'create' | 'drop';
  readonly name: string;
  readonly unique: boolean;
  readonly table: string;
  /** What follows the table: method, columns, condition. */
  readonly definition: string;
}

/** Runs a short transaction that gives way to readers: it waits briefly for its lock and is repeated. */
export type RunShortly = (text: string) => Promise<void>;

const CREATE = /^create (unique )?index concurrently ([a-z_][a-z0-9_]*) on ([a-z_][a-z0-9_]*) (.+)$/is;
const DROP = /^drop index concurrently ([a-z_][a-z0-9_]*)$/i;
/** PostgreSQL cuts longer names silently. */
const LONGEST_NAME = 63;

/** Reads a file with the header `no-transaction`: each statement ends its line. */
export function readIndexSteps(file: string, text: string): IndexStep[] {
  const statements = text
    .replaceAll(/^[ \t]*--.*$/gm, '')
    .split(/;[ \t]*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  return statements.map((statement) => {
    const [, unique, name, table, definition] = CREATE.exec(statement) ?? [];
    if (name !== undefined && table !== undefined && definition !== undefined)
      return { action: 'create', name, table, definition, unique: unique !== undefined };
    const dropped = DROP.exec(statement)?.[1];
    if (dropped !== undefined) return { action: 'drop', name: dropped, table: '', definition: '', unique: false };
    throw new MigrationError(
      `${file}: without a transaction only “create index concurrently NAME on TABLE …” and “drop index concurrently NAME” are allowed, not “${statement.split('\n')[0]}”`,
    );
  });
}

export async function runIndexStep(client: pg.Client, step: IndexStep, runShortly: RunShortly): Promise<void> {
  if (step.action === 'drop') await client.query(`drop index concurrently if exists ${step.name}`);
  else if (await isPartitioned(client, step.table)) await indexPartitions(client, step, runShortly);
  else await buildIndex(client, step);
}

async function isPartitioned(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ relkind: string }>('select relkind from pg_class where oid = $1::regclass', [
    table,
  ]);
  return rows[0]?.relkind === 'p';
}

async function buildIndex(client: pg.Client, { name, table, definition, unique }: IndexStep): Promise<void> {
  const valid = await isValid(client, name);
  if (valid === true) return;
  if (valid === false) await client.query(`drop index concurrently ${name}`);
  await client.query(`create ${unique ? 'unique ' : ''}index concurrently ${name} on ${table} ${definition}`);
}

async function indexPartitions(client: pg.Client, step: IndexStep, runShortly: RunShortly): Promise<void> {
  const { name, table, definition, unique } = step;
  await runShortly(`create ${unique ? 'unique ' : ''}index if not exists ${name} on only ${table} ${definition}`);
  // A partition's own index may have been built and not attached when the process ended: it is found and attached.
  for (let partition = await findUnindexed(client, step); partition !== null; ) {
    const child = `${partition}_${name.startsWith(`${table}_`) ? name.slice(table.length + 1) : name}`;
    if (child.length > LONGEST_NAME) throw new MigrationError(`${child}: a name has at most ${LONGEST_NAME} letters`);
    await buildIndex(client, { ...step, name: child, table: partition });
    await runShortly(`alter index ${name} attach partition ${child}`);
    partition = await findUnindexed(client, step);
  }
  if ((await isValid(client, name)) !== true) throw new MigrationError(`${name}: a partition has no valid index`);
}

/** Null: there is no such index. */
async function isValid(client: pg.Client, name: string): Promise<boolean | null> {
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [name],
  );
  return rows[0]?.valid ?? null;
}

/** The first partition whose index is not attached to the whole one. */
async function findUnindexed(client: pg.Client, { name, table }: IndexStep): Promise<string | null> {
  const { rows } = await client.query<{ partition: string }>(
    `select c.relname as partition from pg_inherits p join pg_class c on c.oid = p.inhrelid
     where p.inhparent = $1::regclass and not exists (
       select from pg_inherits i join pg_index x on x.indexrelid = i.inhrelid
       where i.inhparent = $2::regclass and x.indrelid = c.oid)
     order by c.relname limit 1`,
    [table, name],
  );
  return rows[0]?.partition ?? null;
}
