/** Settings and states of the server that decide whether what was committed stays. */
import { type Db, one, sql } from '../sql.ts';

export interface Durability {
  fsync: boolean;
  /** Of this connection: a role or a database may have a setting that differs from the server's. */
  synchronousCommit: string;
  fullPageWrites: boolean;
  /** A standby takes no writes. */
  isStandby: boolean;
  /** Servers that receive its WAL, which a failover may make the primary. */
  standbys: number;
  /** A commit waits until such a server has it. */
  isSynchronous: boolean;
  /** The server's clock less this machine's, milliseconds; exact to half the time of the query. */
  clockOffsetMs: number;
  /** WAL is archived as the server's settings say; false too if they name nothing that archives it. */
  isArchiving: boolean | null;
  /** Since when segments of the WAL could not be archived; null if the last one was, or none is to be. */
  archiveFailedAt: Date | null;
  /** The last segment that was archived; null: none since the server's statistics begin. */
  archivedAt: Date | null;
  /** Bytes of WAL after that segment; null: not known. */
  unarchivedBytes: number | null;
}

export const readDurability = async (db: Db): Promise<Durability> => {
  const sentMs = Date.now();
  const { nowMs, ...found } = await one(
    db,
    sql<Omit<Durability, 'clockOffsetMs'> & { nowMs: number }>`
      select current_setting('fsync') = 'on' as fsync, current_setting('synchronous_commit') as "synchronousCommit",
        current_setting('full_page_writes') = 'on' as "fullPageWrites", pg_is_in_recovery() as "isStandby",
        -- A role that may not monitor sees how many there are, but no names.
        (select count(*)::int from pg_stat_replication
          where application_name is null or application_name not in ('pg_basebackup', 'pg_receivewal')) as standbys,
        current_setting('synchronous_standby_names') <> '' and current_setting('synchronous_commit') not in ('off', 'local')
          as "isSynchronous",
        (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs",
        case when is_on then current_setting('archive_library') <> ''
          or current_setting('archive_command') not in ('', '(disabled)') end as "isArchiving",
        case when is_on and last_failed_time > coalesce(last_archived_time, '-infinity')
          then last_failed_time end as "archiveFailedAt",
        case when is_on then last_archived_time end as "archivedAt",
        -- The name of a segment is its timeline and its position, in hex. Names of histories have no position.
        case when is_on and not pg_is_in_recovery() and last_archived_wal ~ '^[0-9A-F]{24}' then greatest(0, pg_wal_lsn_diff(
          pg_current_wal_lsn(), (substr(last_archived_wal, 9, 8) || '/0')::pg_lsn) - segment
            * (('x' || substr(last_archived_wal, 17, 8))::bit(32)::bigint + 1))::float8 end as "unarchivedBytes"
      from pg_stat_archiver,
        (select current_setting('archive_mode') <> 'off' as is_on,
          pg_size_bytes(current_setting('wal_segment_size')) as segment) s`,
  );
  return { ...found, clockOffsetMs: Math.round(nowMs - (sentMs + Date.now()) / 2) };
};
