/**
 * List filters saved by users. Each action takes the user's own lock first: the default and the limit are decided one
 * at a time.
 */
import type { SavedFilterValues } from '@pahatid/contract';
import { type Db, many, maybe, run, sql } from '../sql.ts';

export interface FilterOwner {
  userId: string;
  /** null: staff. */
  customerId: string | null;
}

export interface SavedFilterRow {
  filterId: string;
  name: string;
  filters: SavedFilterValues;
  isDefault: boolean;
}

const columns = sql.raw(`filter_id as "filterId", name, filters, is_default as "isDefault"`);

export const lockSavedFilters = (tx: Db, { userId }: FilterOwner): Promise<number> =>
  run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`saved filter ${userId}`}, 0))`);

export const listSavedFilters = (db: Db, { userId }: FilterOwner, list: string): Promise<SavedFilterRow[]> =>
  many(
    db,
    sql<SavedFilterRow>`select ${columns} from saved_filter where user_id = ${userId} and list = ${list} order by lower(name)`,
  );

export const findSavedFilter = (
  db: Db,
  { userId }: FilterOwner,
  filterId: string,
): Promise<(SavedFilterRow & { list: string }) | null> =>
  maybe(
    db,
    sql<SavedFilterRow & { list: string }>`select ${columns}, list from saved_filter
        where user_id = ${userId} and filter_id = ${filterId}`,
  );

export const addSavedFilter = async (
  tx: Db,
  { userId, customerId }: FilterOwner,
  row: { filterId: string; list: string; name: string; filters: SavedFilterValues; createdAt: Date },
): Promise<void> => {
  await run(
    tx,
    sql`insert into saved_filter (filter_id, customer_id, user_id, list, name, filters, created_at)
        values (${row.filterId}, ${customerId}, ${userId}, ${row.list}, ${row.name}, ${JSON.stringify(row.filters)}, ${row.createdAt})`,
  );
};

export const changeSavedFilter = async (
  tx: Db,
  { userId }: FilterOwner,
  { filterId, name, filters }: Pick<SavedFilterRow, 'filterId' | 'name' | 'filters'>,
): Promise<void> => {
  await run(
    tx,
    sql`update saved_filter set name = ${name}, filters = ${JSON.stringify(filters)}
        where user_id = ${userId} and filter_id = ${filterId}`,
  );
};

/** The one that a list opens with, or none. */
export const setDefaultFilter = async (
  tx: Db,
  { userId }: FilterOwner,
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

export const deleteSavedFilter = (tx: Db, { userId }: FilterOwner, filterId: string): Promise<number> =>
  run(tx, sql`delete from saved_filter where user_id = ${userId} and filter_id = ${filterId}`);
