// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code that is read, not run
/**
 * No SQL is assembled from values: values of a statement are passed separately as parameters. Texts passed to a client
 * and to `sql.raw` are literal, except for the places named here, whose parts are constants of the program.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** By file: what is inserted there, and why no caller can influence it. */
const constantParts: Record<string, readonly string[]> = {
  // Names of channels, written in the program.
  'apps/server/src/sending/submit/listen-batches.ts': ['BATCH_CHANNEL'],
  'packages/db/src/listen.ts': ['channel'],
  // The text of the migration files, and what the template composed with its separate parameters.
  'packages/db/src/migrate.ts': ['migration.text', 'text', "readFileSync(distributeFile, 'utf8')"],
  // The text of a migration file, run by a test.
  'packages/db/src/migration-rules.ts': ['text'],
  // Parts of an index's definition in a migration file.
  'packages/db/src/concurrent-indexes.ts': ['step.name', 'name', 'table', 'definition'],
  'packages/db/src/sql.ts': ['query.isPrepared ? { name: preparedName(text), text, values } : { text, values }'],
  // Tables and columns of the program, with parameters for the values.
  'packages/db/src/write-rows.ts': ['{ name: preparedName(text), text, values: lists.map(textArray) }'],
  // Two ways to end a transaction.
  'packages/db/src/with-transaction.ts': ['text'],
  // Names of settings, written in the file.
  'packages/db/src/scope.ts': ['name'],
  // The name of the embedded database, escaped.
  'packages/db/src/embedded/start-embedded.ts': ['client.escapeIdentifier(name)'],
  // Tables and columns to copy into, named by the callers in the program.
  'packages/db/src/copy-lines.ts': ['copyFrom(`copy ${into} from stdin`)'],
  // Lists of columns and conditions that the file itself writes out.
  'packages/db/src/queries/messages.ts': ['lockedColumns', 'owner.text', 'waiting', 'asBefore'],
  'packages/db/src/queries/receipts.ts': ['owner.text'],
  'packages/db/src/queries/callback-events.ts': ['messages'],
  'packages/db/src/queries/live-events.ts': ['messages'],
  'packages/db/src/queries/smpp-deliveries.ts': ['submitted'],
  'packages/db/src/queries/verify/receipts.ts': [
    "notDeleted('r', floorsAt(4))",
    "notDeleted('r', floorsAt(5))",
    "notDeleted('message', floorsAt(5))",
    'BUCKET_BITS',
    'source.before',
    'source.of',
    'source.routes',
    'source.messages',
  ],
  'packages/db/src/queries/verify/batches.ts': ['sums', 'keys', 'ofBatch', 'archived'],
  // Places of dimensions, 1 to 3.
  'packages/db/src/queries/statistics.ts': ['String(index + 1)'],
};

const folders = ['apps/server/src', 'packages/db/src', 'packages/engine/src'];
/** What begins a text of SQL: a client's query, or a raw part of one. */
const calls = /(?:\.query(?:<[^;(`]{0,200}>)?|\bsql\.raw)\(\s*(?:\{[^`]{0,400}?\btext:\s*)?/g;
/** A number of a constant object of states, in place of a bare number. */
const isState = (part: string): boolean =>
  /^(?:Audit|Client|Send|Task)Status\.[A-Z]\w+$|^(?:BatchState|SmsType|UseState|YesNo)\.[A-Z]\w+$/.test(part);
/** One of two texts that are written out. */
const isChoice = (part: string): boolean => /^[\w.]+ \? '[^']*' : '[^']*'$/.test(part);

/** One line for each text of SQL that is put together. */
export function findBuiltSql(root: string): string[] {
  const problems: string[] = [];
  for (const folder of folders)
    for (const file of sourceFiles(path.join(root, folder))) {
      const name = path.relative(root, file).replaceAll(path.sep, '/');
      const code = readFileSync(file, 'utf8');
      for (const { index, 0: call } of code.matchAll(calls))
        for (const part of insertedParts(code.slice(index + call.length)))
          if (!isChoice(part) && !isState(part) && !constantParts[name]?.includes(part))
            problems.push(
              `${name}:${code.slice(0, index).split('\n').length}: SQL is put together out of “${part}”; give values as parameters (sql\`…\`), or name the constant in scripts/sql-text.ts`,
            );
    }
  return problems;
}

/** For the first argument: parts inserted into a template, added to a text, or used instead of one. */
function insertedParts(code: string): string[] {
  const literal = /^(?:`((?:[^`\\]|\\.)*)`|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")\s*(.)/s.exec(code);
  if (literal === null) return [firstArgument(code)];
  const [, template = '', next = ''] = literal;
  const inserted = [...template.matchAll(/\$\{((?:[^{}]|\{[^{}]*\})*)\}/g)].map(([, part = '']) => part.trim());
  return ',)}.'.includes(next) ? inserted : [...inserted, next];
}

function firstArgument(code: string): string {
  let depth = 0;
  for (let at = 0; at < code.length; at++) {
    const letter = code[at] ?? '';
    if ('([{'.includes(letter)) depth += 1;
    else if (depth === 0 && ',)'.includes(letter)) return code.slice(0, at).trim();
    else if (')]}'.includes(letter)) depth -= 1;
  }
  return code.trim().slice(0, 80);
}

function* sourceFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && !/^(testing|builders|node_modules)$/.test(entry.name)) yield* sourceFiles(file);
    else if (entry.isFile() && /\.ts$/.test(entry.name) && !entry.name.endsWith('.test.ts')) yield file;
  }
}
