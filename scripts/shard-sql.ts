// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code that is read, not run
/**
 * Statements that write `message` or `dlr_route` run on the nodes of Citus, which refuses functions there whose result
 * changes within a statement: the program gives their results as values (decision 173).
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folders = ['apps/server/src', 'packages/db/src'];
const writes = /\b(?:update|insert into|delete from)\s+(?:only\s+)?(?:message|dlr_route)\b(?!_)/gi;
const changing = /\b(?:clock_timestamp|random|gen_random_uuid|nextval|timeofday)\(|\$\{dbNow(?:Plus)?\(/;
/** What ends a statement's text. */
const end = /`\s*[,);]/;

/** One line for each such statement with a function that changes. */
export function findChangingSql(root: string): string[] {
  const problems = new Set<string>();
  for (const folder of folders)
    for (const file of sourceFiles(path.join(root, folder))) {
      const code = readFileSync(file, 'utf8');
      const name = path.relative(root, file).replaceAll(path.sep, '/');
      for (const line of findChanging(code))
        problems.add(
          `${name}:${line}: a statement on shards calls a function that Citus refuses there; give its result as a value`,
        );
    }
  return [...problems];
}

/** Lines where such statements begin. */
export function findChanging(code: string): number[] {
  const lines: number[] = [];
  for (const { index } of code.matchAll(writes)) {
    const rest = code.slice(index);
    const statement = rest.slice(0, end.exec(rest)?.index ?? 0);
    if (changing.test(statement)) lines.push(code.slice(0, index).split('\n').length);
  }
  return lines;
}

function* sourceFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && !/^(testing|builders|node_modules)$/.test(entry.name)) yield* sourceFiles(file);
    else if (entry.isFile() && /\.ts$/.test(entry.name) && !entry.name.endsWith('.test.ts')) yield file;
  }
}
