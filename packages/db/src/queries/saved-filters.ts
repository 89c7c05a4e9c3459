/**
 * Views of lists saved by users. Each action takes the lock of the view's maker first: the default and the limit are
 * decided one at a time. Found are one's own, and those that others of the same customer, or of the staff, shared.
 */
import type { SavedFilterValues } from '@pahatid/contract';
import { type Db, many, maybe, run, sql } from '../sql.ts';

export interface FilterOwner {
  userId: string;
  /** null: staff. */
  customerId: string | null;
}

interface SavedFilterContent {
  name: string;
  filters: SavedFilterValues;
  sort: string | null;
  columns: string[] | null;
  isShared: boolean;
  isPinned: boolean;
}

export interface SavedFilterRow extends SavedFilterContent {
  filterId: string;
  /** Its maker, whose default it may be. */
  userId: string;
  makerName: string | null;
  list: string;
  isDefault: boolean;
}

const columns = sql.raw(`f.filter_id as "filterId", f.user_id as "userId", f.list, f.name, f.filters, f.sort, f.columns,
  f.is_default as "isDefault", f.is_shared as "isShared", f.is_pinned as "isPinned",
  (select u.name from app_user u where u.user_id = f.user_id) as "makerName"`);

export const lockSavedFilters = (tx: Db, userId: string): Promise<number> =>
  run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`saved filter ${userId}`}, 0))`);

const isSeen = ({ userId, customerId }: FilterOwner) =>
  sql`(f.user_id = ${userId} or f.is_shared and f.customer_id is not distinct from ${customerId}::uuid)`;

export const listSavedFilters = (db: Db, owner: FilterOwner, list: string): Promise<SavedFilterRow[]> =>
  many(
    db,
    sql<SavedFilterRow>`select ${columns} from saved_filter f where ${isSeen(owner)} and f.list = ${list}
        order by lower(f.name), f.filter_id`,
  );

export const countSavedFilters = async (db: Db, userId: string, list: string): Promise<number> => {
  const rows = await many(
    db,
    sql<{ n: number }>`select count(*)::int as n from saved_filter where user_id = ${userId} and list = ${list}`,
  );
  return rows[0]?.n ?? 0;
};

export const findSavedFilter = (db: Db, owner: FilterOwner, filterId: string): Promise<SavedFilterRow | null> =>
  maybe(
    db,
    sql<SavedFilterRow>`select ${columns} from saved_filter f where ${isSeen(owner)} and f.filter_id = ${filterId}`,
  );

export const addSavedFilter = async (
  tx: Db,
  { userId, customerId }: FilterOwner,
  row: SavedFilterContent & { filterId: string; list: string; createdAt: Date },
): Promise<void> => {
  await run(
    tx,
    sql`insert into saved_filter (filter_id, customer_id, user_id, list, name, filters, sort, columns, is_shared, is_pinned,
          created_at)
        values (${row.filterId}, ${customerId}, ${userId}, ${row.list}, ${row.name}, ${JSON.stringify(row.filters)},
          ${row.sort}, ${row.columns}, ${row.isShared}, ${row.isPinned}, ${row.createdAt})`,
  );
};

export const changeSavedFilter = async (
  tx: Db,
  { filterId, ...row }: SavedFilterContent & { filterId: string },
): Promise<void> => {
  await run(
    tx,
    sql`update saved_filter set name = ${row.name}, filters = ${JSON.stringify(row.filters)}, sort = ${row.sort},
          columns = ${row.columns}, is_shared = ${row.isShared}, is_pinned = ${row.isPinned}
        where filter_id = ${filterId}`,
  );
};

/** The one that a list opens with for its maker, or none. */
export const setDefaultFilter = async (
  tx: Db,
  userId: string,
  list: string,
  filterId: string | null,
): Promise<void> => {
  await run(
    tx,
    sql`update saved_filter set is_default = false
        where user_id = ${userId} and list = ${list} and is_default and filter_id is distinct from ${filterId}`,
  );
  await run(tx, sql`update saved_filter set is_default = true where user_id = ${userId} and filter_id = ${filterId}`);
};

export const deleteSavedFilter = (tx: Db, filterId: string): Promise<number> =>
  run(tx, sql`delete from saved_filter where filter_id = ${filterId}`);
