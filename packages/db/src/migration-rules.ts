/**
 * What a migration must not do while the release before sends: hold a lock on a large table for longer than it takes to
 * change the catalogue, or remove what that release still uses. `findUnsafeStatements` reads the text and explains;
 * `measureMigration` runs it and finds what reading cannot.
 */
import type pg from 'pg';
import type { Migration } from './migration-files.ts';

/** Migrations up to this number were written before the first release: no earlier program runs with them. */
export const LAST_BEFORE_RELEASES = 119;

/** Tables that grow with what is sent. */
export const LARGE_TABLES = [
  'audit_log',
  'batch',
  'callback_attempt',
  'callback_event',
  'dlr_route',
  'in_doubt',
  'inbound',
  'ledger',
  'link_click',
  'link_code',
  'group_member',
  'message',
  'message_conversion',
  'opt_out',
  'receipt_inbox',
  'report_minute',
] as const;

const large = `(?:${LARGE_TABLES.join('|')})(?:_default|_\\d{6,8})?\\b`;
const alters = `^alter table (?:if exists )?(?:only )?${large}.*?`;

interface Rule {
  readonly pattern: RegExp;
  readonly problem: string;
  /** Allowed in a file that names the migration whose programs no longer use what is removed. */
  readonly withNeeds?: true;
}

const rules: readonly Rule[] = [
  {
    pattern: new RegExp(`${alters}\\balter (?:column )?\\w+ (?:set data )?type\\b`),
    problem: 'changes a type, which rewrites the table: add a column, fill it by a job, remove the old one later',
  },
  {
    pattern: new RegExp(`${alters}\\badd (?:column )?.*\\bdefault (?!now\\(\\))[^,]*\\w\\(`),
    problem: 'adds a column with a computed default, which rewrites the table: use a constant, or fill it by a job',
  },
  {
    pattern: new RegExp(`${alters}\\b(?:generated (?:always|by default) as|(?:small|big)?serial\\b)`),
    problem: 'adds a column that is computed for each row, which rewrites the table',
  },
  {
    pattern: new RegExp(
      `${alters}\\badd (?:constraint \\w+ )?(?:check|foreign key|unique|primary key)(?!.*\\b(?:not valid|using index)\\b)`,
    ),
    problem: 'reads the table while it is locked: add the constraint “not valid”, and validate it in the next file',
  },
  {
    pattern: new RegExp(`${alters}\\bset (?:logged|unlogged|tablespace|access method)\\b`),
    problem: 'rewrites the table',
  },
  {
    pattern: new RegExp(`^create (?:unique )?index (?!concurrently).*?\\bon (?:only )?${large}`),
    problem: 'blocks writers while it reads the table: “-- pahatid: no-transaction” and “create index concurrently”',
  },
  {
    pattern: new RegExp(`^(?:vacuum\\b.*\\bfull\\b.*|cluster|reindex|truncate)\\b.*\\b${large}`),
    problem: 'locks or rewrites the table',
  },
  {
    pattern: new RegExp(`^(?:with\\b.*)?\\b(?:update|delete from|merge into) (?:only )?${large}`),
    problem: 'changes rows of a large table in one transaction: let a job do it in steps',
  },
  {
    pattern: new RegExp(`^do\\b.*\\b${large}`),
    problem: 'hides what it does with a large table in a block: write the statements out',
  },
  {
    pattern:
      /^drop (?:table|view|function|type)\b|^alter table .*?\bdrop (?:column )?(?!constraint|not null|default)\w+/,
    problem: 'removes what the release before may use: one release later, with “-- pahatid: needs NNNN”',
    withNeeds: true,
  },
  {
    pattern: /^alter (?:table|view|function|type)\b.*?\brename\b/,
    problem: 'renames what the release before may use: add the new name, remove the old one a release later',
    withNeeds: true,
  },
];

/** Returns one line for each statement that breaks a rule. */
export function findUnsafeStatements({ name, text, needs }: Pick<Migration, 'name' | 'text' | 'needs'>): string[] {
  return splitStatements(text).flatMap(({ statement, line }) =>
    rules
      .filter(({ pattern, withNeeds }) => pattern.test(statement) && !(withNeeds === true && needs !== null))
      .map(({ problem }) => `packages/db/migrations/${name}:${line}: ${problem}`),
  );
}

/** In lower case, on one line, without comments and the texts in quotes; bodies of functions only for `do`. */
function splitStatements(text: string): { statement: string; line: number }[] {
  const found: { statement: string; line: number }[] = [];
  let statement = '';
  let startedAt = 0;
  // What is opened and not closed lasts to the end of the text.
  const tokens = /--[^\n]*|\/\*(?:.*?\*\/|.*)|\$(\w*)\$(?:.*?\$\1\$|.*)|'(?:[^']|'')*'?|;|[^-/$';]+|./gs;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (/^(?:--|\/\*)/.test(token)) continue;
    if (token === ';') {
      if (statement.trim() !== '') found.push({ statement: flatten(statement), line: lineAt(text, startedAt) });
      statement = '';
      continue;
    }
    if (statement.trim() === '') startedAt = index + token.length - token.trimStart().length;
    const isBody = /^\$\w*\$/.test(token) && token.length > 1;
    statement += (isBody && !/^\s*do\b/i.test(statement)) || token.startsWith("'") ? "''" : token;
  }
  if (statement.trim() !== '') found.push({ statement: flatten(statement), line: lineAt(text, startedAt) });
  return found;
}

const flatten = (statement: string): string => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase();
const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

/**
 * Runs the file in a transaction, reports the large tables that were rewritten, or read or changed row by row under a
 * lock that stops writers, and commits. Their partitions must have rows and statistics of their transactions
 * (`track_counts`) be on.
 */
export async function measureMigration(client: pg.Client, text: string): Promise<string[]> {
  await client.query('begin');
  const before = await readFiles(client);
  await client.query(text);
  const after = await readFiles(client);
  const { rows } = await client.query<{ table: string }>(
    `select c.relname as table from pg_stat_xact_user_tables s join pg_class c on c.oid = s.relid
     where s.seq_tup_read + s.n_tup_upd + s.n_tup_del > 0
       and exists (select from pg_locks l where l.relation = c.oid and l.pid = pg_backend_pid() and l.granted
         and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'))`,
  );
  await client.query('commit');
  const rewritten = [...before].filter(([table, file]) => after.has(table) && after.get(table) !== file);
  return [
    ...rewritten.map(([table]) => `${table} was rewritten`),
    ...rows
      .filter(({ table }) => before.has(table) && !rewritten.some(([each]) => each === table))
      .map(({ table }) => `${table} was read while it was locked`),
  ].sort();
}

/** The file of each large table and partition: another one after a rewrite. */
async function readFiles(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ table: string; file: string }>(
    `select c.relname as table, c.relfilenode::text as file
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and coalesce(p.relname, c.relname) = any($1)`,
    [LARGE_TABLES],
  );
  return new Map(rows.map(({ table, file }) => [table, file]));
}
