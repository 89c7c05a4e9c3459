/**
 * SQL as text with separate values: the `sql` template composes and numbers the parameters, any pg client runs the
 * result. Every query function takes the client first, so that a transaction cannot be bypassed.
 */
import type pg from 'pg';

/** A piece of SQL with its values, or a whole statement; `R`: type of its result rows. */
export class Fragment<R = unknown> {
  /** Of the types alone. */
  declare readonly row?: R;
  /** One more than values: the text around each. */
  readonly texts: readonly string[];
  /** Parameters, and pieces to be put in as they are. */
  readonly values: readonly unknown[];
  readonly isPrepared: boolean;

  constructor(texts: readonly string[], values: readonly unknown[], isPrepared = false) {
    this.texts = texts;
    this.values = values;
    this.isPrepared = isPrepared;
  }
}

/**
 * A whole statement that each connection keeps: it is parsed once, and so is its plan made once in a transaction `BY_KEY`.
 * For statements that run many times a second, of few different texts, which find their rows by keys whatever the
 * size of the tables (decision 110).
 */
export const prepared = <R>(statement: Fragment<R>): Fragment<R> =>
  new Fragment<R>(statement.texts, statement.values, true);

/** Names of prepared statements, by text. */
const names = new Map<string, string>();

/** Returns the name under which connections of this process keep a statement. */
export const preparedName = (text: string): string => {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `prepared_${names.size + 1}`;
  names.set(text, name);
  return name;
};

const compose = <R = unknown>(texts: TemplateStringsArray, ...values: unknown[]): Fragment<R> =>
  new Fragment<R>(texts, values);

const raw = <R = unknown>(text: string): Fragment<R> => new Fragment<R>([text], []);
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
/** A name, quoted; `a.b` is the column b of a. */
const ref = (name: string): Fragment => raw(name.split('.').map(quoted).join('.'));

/** The numbers of a constant object as fragments of the same names, inlined in a statement. */
const literals = <const T extends Readonly<Record<string, number>>>(
  numbers: T,
): { readonly [K in keyof T]: Fragment } => {
  const fragments = Object.entries(numbers).map(([name, value]) => [name, raw(String(value))] as const);
  return Object.fromEntries(fragments) as { readonly [K in keyof T]: Fragment };
};

/**
 * `` sql`…${value}…` ``: an inserted value becomes a parameter, but a piece of SQL is inserted as it is.
 * `raw` takes a text of the program, never of a caller; `ref` a name; `lit` a text to be inlined in the statement;
 * `literals` numbers of a constant object, to be inlined;
 * `join` pieces and values, separated by commas or the given separator.
 */
export const sql = Object.assign(compose, {
  raw,
  ref,
  lit: (text: string): Fragment => raw(`'${text.replaceAll("'", "''")}'`),
  literals,
  join: (items: readonly unknown[], separator: Fragment = raw(', ')): Fragment => {
    if (items.length === 0) return raw('');
    const values = items.flatMap((item, index) => (index === 0 ? [item] : [separator, item]));
    return new Fragment(new Array<string>(values.length + 1).fill(''), values);
  },
});

function write(fragment: Fragment, into: { text: string; values: unknown[] }): void {
  into.text += fragment.texts[0] ?? '';
  for (const [index, value] of fragment.values.entries()) {
    if (value instanceof Fragment) write(value, into);
    else into.text += `$${into.values.push(value)}`;
    into.text += fragment.texts[index + 1] ?? '';
  }
}

/** The text of a statement, its parameters numbered from $1. */
export function compileSql(statement: Fragment): { text: string; values: unknown[] } {
  const compiled = { text: '', values: [] };
  write(statement, compiled);
  return compiled;
}

/** A pool, or one client of it with a transaction open. */
export type Db = pg.Pool | pg.PoolClient | pg.Client;

const send = async (db: Db, query: Fragment) => {
  const { text, values } = compileSql(query);
  return await db.query(query.isPrepared ? { name: preparedName(text), text, values } : { text, values });
};

/** All rows. */
export const many = async <R>(db: Db, query: Fragment<R>): Promise<R[]> => (await send(db, query)).rows as R[];

/** The first row, or null. */
export const maybe = async <R>(db: Db, query: Fragment<R>): Promise<R | null> =>
  ((await send(db, query)).rows[0] as R | undefined) ?? null;

/** Exactly one row; anything else is a defect. */
export const one = async <R>(db: Db, query: Fragment<R>): Promise<R> => {
  const { rows } = await send(db, query);
  if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`);
  return rows[0] as R;
};

/** Runs a statement and returns how many rows it affected: a guarded transition uses it to determine the winner. */
export const run = async (db: Db, query: Fragment<unknown>): Promise<number> => (await send(db, query)).rowCount ?? 0;
