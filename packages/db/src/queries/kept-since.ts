/** From when on the rows of a table are complete. Moved in the transaction that removes what is older. */
import { type Db, maybe, run, sql } from '../sql.ts';

export type AgingTable = 'dlr_route' | 'ledger' | 'report_hour' | 'report_minute';

/** Unix milliseconds; 0: nothing was removed for its age yet. */
export const readKeptSince = async (db: Db, table: AgingTable): Promise<number> => {
  const row = await maybe<{ at: Date }>(db, sql`select at from kept_since where table_name = ${table}`);
  return row?.at.getTime() ?? 0;
};

export const moveKeptSince = async (tx: Db, table: AgingTable, at: Date): Promise<void> => {
  await run(
    tx,
    sql`insert into kept_since as k (table_name, at) values (${table}, ${at})
        on conflict (table_name) do update set at = excluded.at where k.at < excluded.at`,
  );
};
