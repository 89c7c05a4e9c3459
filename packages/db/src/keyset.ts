/** Pages of lists: rows past the key of the last row seen, in the order of that key, in either direction. */
import { type Fragment, sql } from './sql.ts';

/** A column of the order, which is never null, and the type that its text in a cursor is cast to. The last one is unique. */
type KeyColumn = readonly [column: Fragment, type: keyof typeof casts];

const casts = {
  uuid: sql`::uuid`,
  timestamptz: sql`::timestamptz`,
  date: sql`::date`,
  text: sql`::text`,
  int: sql`::int`,
  bigint: sql`::bigint`,
};

export interface PageOrder {
  /** Whether the largest keys come first. */
  isDescending: boolean;
  /** The last row's key, a text for each column; none: the first page. */
  after: readonly string[] | null | undefined;
}

/**
 * The condition and the order of a page. All columns go one way, so that an index on them serves the order, the other
 * one, and the start of each page: `(a, b) < ($1, $2)`. Rows inserted meanwhile move no other row to another page.
 */
export const pageBy = (
  columns: readonly KeyColumn[],
  { isDescending, after }: PageOrder,
): { past: Fragment; orderBy: Fragment } => {
  const direction = isDescending ? sql` desc` : sql``;
  const orderBy = sql.join(columns.map(([column]) => sql`${column}${direction}`));
  if (after === null || after === undefined) return { past: sql`true`, orderBy };
  const keys = columns.map(([, type], index) => sql`${after[index]}${casts[type]}`);
  const names = sql.join(columns.map(([column]) => column));
  return { past: sql`(${names}) ${isDescending ? sql`<` : sql`>`} (${sql.join(keys)})`, orderBy };
};
