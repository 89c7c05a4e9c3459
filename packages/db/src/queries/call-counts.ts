/** Calls that api processes counted against the same limits. Never run in a customer's scope. */
import { type Db, many, run, sql } from '../sql.ts';

export interface CallCount {
  readonly key: string;
  readonly count: number;
}

export interface OthersCount {
  readonly key: string;
  readonly processId: string;
  /** Since its row exists. */
  readonly counted: number;
  /** The last part of it. */
  readonly added: number;
}

/** A process that has not counted for so long is not heard any more: it ended, or its callers did. */
const HEARD_FOR = '5 seconds';
const KEPT_FOR = '1 minute';

/** Adds a process's counts, and returns those of the other processes for the same keys. */
export const exchangeCallCounts = (db: Db, processId: string, counts: readonly CallCount[]): Promise<OthersCount[]> =>
  many<OthersCount>(
    db,
    sql`with given as (
          select * from unnest(${counts.map(({ key }) => key)}::text[], ${counts.map(({ count }) => count)}::bigint[]) as t(key, count)
        ), added as (
          insert into call_count as c (key, process_id, counted, added, at)
          select key, ${processId}::uuid, count, count, now() from given order by key
          on conflict (key, process_id) do update
            set counted = c.counted + excluded.added, added = excluded.added, at = excluded.at
        )
        select key, process_id as "processId", counted::float8 as counted, added::float8 as added
        from call_count join given using (key)
        where process_id <> ${processId}::uuid and at > now() - ${HEARD_FOR}::interval`,
  );

export const sweepCallCounts = (db: Db): Promise<unknown> =>
  run(db, sql`delete from call_count where at < now() - ${KEPT_FOR}::interval`);
