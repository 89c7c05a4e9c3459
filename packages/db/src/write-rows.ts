/**
 * Rows written together: a few by one statement, which a connection keeps prepared and which can be pipelined; many by
 * COPY, which is cheaper for each row and a separate conversation.
 */
import type pg from 'pg';
import { textArray } from './array-literal.ts';
import { type CopyValue, copyLine, copyLines } from './copy-lines.ts';
import { preparedName } from './sql.ts';

/** Up to so many rows go by one statement. */
export const FEW_ROWS = 200;

/** `columns`: in the order of the values, with their types. */
export const makeRowWriter = <Row>(
  table: string,
  columns: Readonly<Record<string, string>>,
  toValues: (row: Row) => readonly CopyValue[],
): ((tx: pg.PoolClient, rows: readonly Row[]) => Promise<void>) => {
  const into = `${table} (${Object.keys(columns).join(', ')})`;
  const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`);
  const text = `insert into ${into} select * from unnest(${arrays.join(', ')})`;
  return async (tx, rows) => {
    if (rows.length === 0) return;
    if (rows.length > FEW_ROWS) {
      let lines = '';
      for (const row of rows) lines += copyLine(toValues(row));
      await copyLines(tx, into, lines);
      return;
    }
    const lists = arrays.map((): (string | null)[] => []);
    for (const row of rows) for (const [index, value] of toValues(row).entries()) lists[index]!.push(toText(value));
    await tx.query({ name: preparedName(text), text, values: lists.map(textArray) });
  };
};

const toText = (value: CopyValue): string | null => {
  if (value === null || value === undefined) return null;
  return value instanceof Date ? value.toISOString() : String(value);
};
