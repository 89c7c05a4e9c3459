/** Statistics of partitions that fill: autovacuum looks once a minute, in which a new one may grow from nothing to 100,000 rows. */
import { type Db, many, run, sql } from '../sql.ts';

/** With this many rows a partition gets separate statistics; later growth is left to autovacuum. */
const ROWS = 10_000;

/** Analyzes the partitions that have passed `ROWS` since their last statistics; returns their names. */
export const analyzeYoungPartitions = async (db: Db): Promise<string[]> => {
  const young = await many(
    db,
    sql<{ name: string }>`select c.relname as name from pg_class c join pg_inherits i on i.inhrelid = c.oid
      where i.inhparent in ('message'::regclass, 'dlr_route'::regclass)
        and c.reltuples < ${ROWS} and pg_stat_get_live_tuples(c.oid) >= ${ROWS}
      order by c.relname`,
  );
  for (const { name } of young) await run(db, sql`analyze ${sql.ref(name)}`);
  return young.map(({ name }) => name);
};
