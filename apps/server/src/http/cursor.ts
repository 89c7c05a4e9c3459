/**
 * Cursors of keyset paging: the sort they belong to and the key of the last row seen, in base64url. They carry no
 * right: every page is read through the caller's own scope, so a made-up cursor only begins somewhere else.
 */
import type { Secrets } from '../secrets/secrets.ts';
import { ProblemError } from './problem.ts';

/** Parts of a key: text that the database compares after a cast, so no precision is lost (microseconds, bigint). */
export type CursorKey = readonly string[];

export const encodeCursor = (sort: string, key: CursorKey): string =>
  Buffer.from(JSON.stringify([sort, ...key])).toString('base64url');

/** Seals cursors whose key contains a phone number, so that it can't be read or found with forged cursors. */
export const sealCursor = (secrets: Secrets, cursor: string | null): string | null =>
  cursor === null ? null : secrets.seal('cursor', cursor);

export function openCursor(secrets: Secrets, cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  try {
    return secrets.open('cursor', cursor);
  } catch {
    throw new ProblemError('CURSOR_INVALID');
  }
}

/** The order that a call asks a list for: its name in cursors, and whether it is the usual one in the other direction. */
export interface ListOrder {
  readonly name: string;
  readonly isReversed: boolean;
}

/**
 * Reads the order of a list that has one and its reverse. Cursors of the usual one have the list's own name, as those of
 * releases without other orders.
 */
export const readOrder = (list: string, sort: string, usual: string): ListOrder => {
  const isReversed = sort !== usual;
  return { name: isReversed ? `${list}:${sort}` : list, isReversed };
};

const patterns = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  /** As PostgreSQL writes it in UTC. */
  time: /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?\+00$/,
  day: /^\d{4}-\d{2}-\d{2}$/,
  messageId: /^\d{1,18}$/,
  number: /^\d{1,9}$/,
  text: /^[^\0]{0,200}$/su,
} as const;

export type CursorPart = keyof typeof patterns;

/** The key in a cursor, or null at the first page. Throws CURSOR_INVALID for one of another list, another sort, or none of ours. */
export function decodeCursor(cursor: string | undefined, sort: string, parts: readonly CursorPart[]): string[] | null {
  if (cursor === undefined) return null;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw new ProblemError('CURSOR_INVALID');
  }
  if (!Array.isArray(value) || value.length !== parts.length + 1 || value[0] !== sort)
    throw new ProblemError('CURSOR_INVALID');
  const key: unknown[] = value.slice(1);
  const isKey = key.every((part, index) => {
    const kind = parts[index];
    return typeof part === 'string' && kind !== undefined && patterns[kind].test(part) && isInstant(kind, part);
  });
  if (!isKey) throw new ProblemError('CURSOR_INVALID');
  return key as string[];
}

/** `Date` reads 30 February as 2 March and accepts a year 0000; PostgreSQL does neither. */
const isInstant = (kind: CursorPart, part: string): boolean => {
  if (kind !== 'time' && kind !== 'day') return true;
  const seconds = kind === 'day' ? `${part}T00:00:00` : part.slice(0, 19).replace(' ', 'T');
  const atMs = Date.parse(`${seconds}Z`);
  return !Number.isNaN(atMs) && !part.startsWith('0000') && new Date(atMs).toISOString().startsWith(seconds);
};

/**
 * Returns a page from one row more than requested: the extra row only shows that there is a next page. `keyOf` returns
 * the last row's key.
 */
export function toPage<Row>(
  rows: readonly Row[],
  limit: number,
  sort: string,
  keyOf: (row: Row) => CursorKey,
): { rows: readonly Row[]; nextCursor: string | null } {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  return { rows: kept, nextCursor: rows.length > limit && last !== undefined ? encodeCursor(sort, keyOf(last)) : null };
}
