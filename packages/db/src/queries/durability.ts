/** Settings and states of the server that decide whether what was committed stays. */
import { type Db, one, sql } from '../sql.ts';

export interface Durability {
  fsync: boolean;
  /** Of this connection: a role or a database may have a setting that differs from the server's. */
  synchronousCommit: string;
  fullPageWrites: boolean;
  /** A standby takes no writes. */
  isStandby: boolean;
  /** The server's clock less this machine's, milliseconds; exact to half the time of the query. */
  clockOffsetMs: number;
  /** Since when segments of the WAL could not be archived; null if the last one was, or none is to be. */
  archiveFailedAt: Date | null;
}

export const readDurability = async (db: Db): Promise<Durability> => {
  const sentMs = Date.now();
  const { nowMs, ...found } = await one(
    db,
    sql<Omit<Durability, 'clockOffsetMs'> & { nowMs: number }>`
      select current_setting('fsync') = 'on' as fsync, current_setting('synchronous_commit') as "synchronousCommit",
        current_setting('full_page_writes') = 'on' as "fullPageWrites", pg_is_in_recovery() as "isStandby",
        (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs",
        case when current_setting('archive_mode') <> 'off' and last_failed_time > coalesce(last_archived_time, '-infinity')
          then last_failed_time end as "archiveFailedAt"
      from pg_stat_archiver`,
  );
  return { ...found, clockOffsetMs: Math.round(nowMs - (sentMs + Date.now()) / 2) };
};
