/** The prefix table as staff see and change it. */
import { pageBy } from '../keyset.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';

export interface PrefixView {
  prefix: string;
  areaCode: string;
  carrier: string;
  version: number;
  updateTime: Date;
}

export interface PrefixFilter {
  /** Digits: ranges that begin with them, and ranges in which a number of them lies. */
  digits?: string | undefined;
  carrier?: string | undefined;
  /** Prefix of the last row seen. */
  after?: readonly string[] | null;
  /** In the other direction. */
  isReversed?: boolean | undefined;
  limit: number;
}

const columns = sql.raw(`prefix, area_code as "areaCode", carrier, version, updated_at as "updateTime"`);

const conditionsOf = ({ digits, carrier }: PrefixFilter): Fragment<unknown> => {
  const conditions: Fragment<unknown>[] = [sql`true`];
  if (digits !== undefined) conditions.push(sql`(starts_with(prefix, ${digits}) or starts_with(${digits}, prefix))`);
  if (carrier !== undefined) conditions.push(sql`carrier = ${carrier}`);
  return sql.join(conditions, sql` and `);
};

/** As in a telephone book: by digits from the left. */
export const listPrefixes = (db: Db, filter: PrefixFilter): Promise<PrefixView[]> => {
  const order = { isDescending: filter.isReversed === true, after: filter.after };
  const { past, orderBy } = pageBy([[sql`prefix collate "C"`, 'text']], order);
  return many<PrefixView>(
    db,
    sql`select ${columns} from prefix where ${conditionsOf(filter)}
          and ${past} order by ${orderBy} limit ${filter.limit}`,
  );
};

export const countPrefixes = async (db: Db, filter: PrefixFilter): Promise<number> => {
  const { total } = await one<{ total: number }>(
    db,
    sql`select count(*)::int as total from prefix where ${conditionsOf(filter)}`,
  );
  return total;
};

export const findPrefix = (db: Db, prefix: string): Promise<PrefixView | null> =>
  maybe<PrefixView>(db, sql`select ${columns} from prefix where prefix = ${prefix}`);

/** Throws a unique violation of `prefix_pkey`. */
export const insertPrefix = async (
  db: Db,
  row: { prefix: string; areaCode: string; carrier: string },
): Promise<void> => {
  await run(
    db,
    sql`insert into prefix (prefix, area_code, carrier) values (${row.prefix}, ${row.areaCode}, ${row.carrier})`,
  );
};

/** Returns false if the version is no longer the one that was seen. */
export const updatePrefix = async (
  db: Db,
  prefix: string,
  version: number,
  change: { carrier: string; areaCode: string },
): Promise<boolean> =>
  (await run(
    db,
    sql`update prefix set carrier = ${change.carrier}, area_code = ${change.areaCode}, version = version + 1,
          updated_at = now()
        where prefix = ${prefix} and version = ${version}`,
  )) === 1;

/** Returns false if it is already deleted. */
export const removePrefix = async (db: Db, prefix: string): Promise<boolean> =>
  (await run(db, sql`delete from prefix where prefix = ${prefix}`)) === 1;
