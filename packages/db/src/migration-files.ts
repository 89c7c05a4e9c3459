/** The files of migrations: their names, numbers and headers. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
  /** False with the header `-- pahatid: no-transaction`: the file builds or drops indexes without blocking writers. */
  readonly inTransaction: boolean;
  /**
   * With the header `-- pahatid: needs 0112`, that number: programs without that migration cannot run on this database.
   * Null: releases without this file run on it as before.
   */
  readonly needs: number | null;
}

export class MigrationError extends Error {
  override name = 'MigrationError';
}

export const MIGRATIONS_FOLDER = path.join(import.meta.dirname, '../migrations');

/**
 * Reads `0001_name.sql`, `0002_…` in the order of their numbers, each number once. A gap is fine: changes made side by
 * side land with the numbers they were made with, and one that lands late is run late.
 */
export function readMigrations(folder = MIGRATIONS_FOLDER): Migration[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort();
  let last = 0;
  return files.map((file) => {
    const match = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file);
    if (match === null) throw new MigrationError(`${file}: a migration is named like 0001_customers.sql`);
    const number = Number(match[1]);
    if (number <= last) throw new MigrationError(`${file}: number ${number} is taken`);
    last = number;
    const text = readFileSync(path.join(folder, file), 'utf8');
    const checksum = createHash('sha256').update(text).digest('hex');
    return { number, name: file, text, checksum, ...readHeaders(file, text) };
  });
}

function readHeaders(file: string, text: string): Pick<Migration, 'inTransaction' | 'needs'> {
  let inTransaction = true;
  let needs: number | null = null;
  for (const [, rest = ''] of text.matchAll(/^-- pahatid:(.*)$/gm)) {
    const header = rest.trim();
    const number = /^needs (\d{4})$/.exec(header)?.[1];
    if (number !== undefined) needs = Number(number);
    else if (header === 'no-transaction') inTransaction = false;
    else throw new MigrationError(`${file}: unknown header “${header}”`);
  }
  return { inTransaction, needs };
}
