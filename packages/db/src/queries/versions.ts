/**
 * Versions of data edited by several users. A save raises the version and is guarded by the one it was made from, so of
 * two saves from the same version exactly one succeeds, even if both arrive at the same time: the second UPDATE waits
 * for the first and then finds another version.
 */
import { type Db, type Fragment, maybe, sql } from '../sql.ts';

/** Table and key of each versioned entity. */
const keys = {
  task: 'task_id',
  template: 'template_id',
  message_group: 'group_id',
  threshold: 'threshold_id',
  application: 'app_id',
  short_link: 'link_id',
} as const;
export type VersionedTable = keyof typeof keys;

/** A save by a person: assignments of an UPDATE. */
export const savedBy = (userId: string | null): Fragment<unknown> =>
  sql`version = version + 1, edited_at = clock_timestamp(), edited_by = ${userId}`;

/** Condition of an UPDATE. Undefined: the caller names no version, and the last save wins. */
export const isVersion = (version: number | undefined): Fragment<unknown> =>
  version === undefined ? sql`true` : sql`version = ${version}`;

export interface LastSave {
  version: number;
  editedAt: Date | null;
  /** Null: no user whose name the reader may see. */
  editedBy: string | null;
}

export const findLastSave = (db: Db, table: VersionedTable, id: string): Promise<LastSave | null> =>
  maybe(
    db,
    sql<LastSave>`select e.version, e.edited_at as "editedAt", u.name as "editedBy"
      from ${sql.ref(table)} e left join app_user u on u.user_id = e.edited_by
      where e.${sql.ref(keys[table])} = ${id}`,
  );
