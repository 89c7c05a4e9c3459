/**
 * Every regular expression of the sources against hostile texts: the parts it repeats, over and over, with an end that
 * does not match. One that backtracks needs seconds for 20 kB where others need a fraction of a millisecond, so the
 * bound is far from both; an expression above it is run again with half as much, and judged by the growth.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import vm from 'node:vm';
import { findRegexLiterals, type RegexLiteral } from './testing/regex-literals.ts';

const root = path.join(import.meta.dirname, '../../../..');
const isSoak = process.env.PAHATID_SOAK !== undefined;
const sizes = isSoak ? [20_000, 100_000] : [20_000];
const boundMs = 100;

/** Code that runs on the server, and code shared with the console. */
const folders = [
  'apps/server/src',
  'packages/domain/src',
  'packages/contract/src',
  'packages/db/src',
  'packages/smpp/src',
  'packages/engine/src',
];

function* sourceFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && !/^(testing|builders|node_modules)$/.test(entry.name)) yield* sourceFiles(file);
    else if (entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts')) yield file;
  }
}

/** Expressions that never see a caller's text, each with what bounds its input. */
const bounded: Record<string, string> = {};

const literals: (RegexLiteral & { file: string })[] = folders.flatMap((folder) =>
  [...sourceFiles(path.join(root, folder))].flatMap((file) =>
    findRegexLiterals(stripTypeScriptTypes(readFileSync(file, 'utf8'))).map((each) => ({
      ...each,
      file: path.relative(root, file),
    })),
  ),
);

/** Returns characters and pairs that the expression may repeat, from its own letters and classes. */
function pumpsFor(source: string): string[] {
  const letters = new Set(['a', '0', ' ', '\n', '.', '-', '_', '/', ':', '{', '<', '"', ',', '9']);
  for (const letter of source.replace(/\\[a-zA-Z]/g, '')) if (!'()[]{}?+*|^$\\'.includes(letter)) letters.add(letter);
  const singles = [...letters];
  const pairs = singles.slice(-5).flatMap((a) => singles.slice(-5).map((b) => a + b));
  return [...singles, ...pairs];
}

const context = vm.createContext({});
function timeMs(source: string, flags: string, text: string): number {
  const expression = new RegExp(source, flags.replace('y', ''));
  Object.assign(context, { expression, text });
  const began = performance.now();
  try {
    vm.runInContext('expression.lastIndex = 0; text.replace(expression, "")', context, { timeout: 700 });
  } catch {
    return Number.POSITIVE_INFINITY;
  }
  return performance.now() - began;
}

function findSlow(source: string, flags: string): string | null {
  for (const pump of pumpsFor(source))
    for (const end of ['\u0001', '!x'])
      for (const size of sizes) {
        const textOf = (length: number): string => pump.repeat(Math.ceil(length / pump.length)) + end;
        const took = timeMs(source, flags, textOf(size));
        if (took < boundMs) continue;
        // A busy machine is not the expression's fault: it is slow each time, and by more than its length.
        const again = Math.min(...[1, 2, 3].map(() => timeMs(source, flags, textOf(size))));
        const half = Math.min(...[1, 2, 3].map(() => timeMs(source, flags, textOf(size / 2))));
        if (again >= boundMs && again / half > 2.5) return `${JSON.stringify(pump)} x ${size}: ${Math.round(again)} ms`;
        if (again === Number.POSITIVE_INFINITY) return `${JSON.stringify(pump)} x ${size}: no end`;
      }
  return null;
}

test('S33 every regular expression of the sources takes time by the length of its text', () => {
  assert.ok(literals.length >= 100, `${literals.length} found`);
  const seen = new Set<string>();
  const slow: string[] = [];
  for (const { file, line, source, flags } of literals) {
    const name = `${file}: /${source}/${flags}`;
    if (seen.has(`${source}/${flags}`) || name in bounded) continue;
    seen.add(`${source}/${flags}`);
    const found = findSlow(source, flags);
    if (found !== null) slow.push(`${file}:${line}: /${source}/${flags}: ${found}`);
  }
  assert.deepEqual(slow, []);
});

test('S33 the finder knows a slow one from a quick one', () => {
  assert.equal(findSlow('^[a-z]+$', ''), null);
  assert.notEqual(findSlow('^(a+)+$', ''), null);
  assert.notEqual(findSlow('\\s+$', ''), null);
  assert.deepEqual(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code that is read
    findRegexLiterals('const a = b / c; const d = /x[/]\\/y/gi.test(e); // no /one/\nreturn /z/; `${/w/u}`').map(
      ({ source, flags }) => `${source} ${flags}`,
    ),
    ['x[/]\\/y gi', 'z ', 'w u'],
  );
});
