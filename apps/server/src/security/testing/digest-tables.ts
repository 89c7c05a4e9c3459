/** Digest of the database content: two digests are equal if no row of any table differs. */
import type { Pool } from 'pg';

/** Tables changed by reads: last use of sessions, counts of attempts and refusals, pending notifications. */
const moving = [
  'session',
  'attempt',
  'application_refusal',
  'api_call',
  'api_call_dropped',
  'captcha',
  'known_device',
  'schema_migration',
];

export async function digestTables(pool: Pool, except: readonly string[] = []): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition order by 1`,
  );
  const digests: Record<string, string> = {};
  for (const { name } of rows) {
    if (moving.includes(name) || except.includes(name)) continue;
    const found = await pool.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(r.t, '|' order by r.t)), '') as digest
       from (select (to_jsonb(x) - 'last_used_at')::text as t from "${name}" x) r`,
    );
    digests[name] = found.rows[0]?.digest ?? '';
  }
  return digests;
}
