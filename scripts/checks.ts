/** What `npm run check` runs, and `npm test` while it runs the tests. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readMigrations } from '../packages/db/src/migration-files.ts';
import { findUnsafeStatements, LAST_BEFORE_RELEASES } from '../packages/db/src/migration-rules.ts';
import { checkLock, type Lock } from './check-lock.ts';
import { findLostPaths } from './document-paths.ts';
import { findUpwardArrows } from './floors.ts';
import { findLogProblems } from './log-events.ts';
import { findPlainEnglishProblems } from './plain-english.ts';
import { findChangingSql } from './shard-sql.ts';
import { findBuiltSql } from './sql-text.ts';

const root = path.join(import.meta.dirname, '..');
const bin = (name: string): string => path.join(root, 'node_modules/.bin', name);

interface Check {
  readonly name: string;
  /** Problems, one a line; nothing when all is well. */
  readonly run: () => Promise<string>;
}

export interface CheckResult {
  readonly name: string;
  readonly problems: string;
  readonly ms: number;
}

const checks: readonly Check[] = [
  // The longest first.
  { name: 'lint with types', run: () => tool('oxlint', ['--type-aware', '--quiet', '.'], ONE_PROCESSOR) },
  { name: 'types', run: () => checkTypes('.') },
  { name: 'types of the console', run: () => checkTypes('apps/console') },
  { name: 'format, imports, circles', run: () => tool('biome', ['check', '--diagnostic-level=error', '.']) },
  { name: 'floors', run: async () => findUpwardArrows(root).join('\n') },
  { name: 'migrations', run: async () => checkMigrations().join('\n') },
  { name: 'SQL is not put together', run: async () => findBuiltSql(root).join('\n') },
  { name: 'SQL on shards', run: async () => findChangingSql(root).join('\n') },
  { name: 'log events', run: async () => findLogProblems(root).join('\n') },
  { name: 'paths in documents', run: async () => findLostPaths(root).join('\n') },
  { name: 'catalogues', run: checkCatalogues },
  { name: 'plain English', run: async () => findPlainEnglishProblems(root).join('\n') },
  { name: 'generated files', run: checkGenerated },
  {
    name: 'lock',
    run: async () => checkLock(JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lock),
  },
  { name: 'tests are all on', run: async () => findSwitchedOff().join('\n') },
];

/** Runs the checks whose name contains one of the words (all without words), `parallel` at a time. */
export async function runChecks(
  words: readonly string[],
  onResult: (result: CheckResult) => void,
  parallel = 2,
): Promise<void> {
  const waiting = checks.filter(
    ({ name }) => words.length === 0 || words.some((word) => `check ${name}`.includes(word)),
  );
  const work = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const startedAt = performance.now();
      const problems = await check.run().catch((error: unknown) => String(error));
      onResult({ name: check.name, problems: problems.trim(), ms: Math.round(performance.now() - startedAt) });
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
}

/** Each of several checkers works out the same types again: as two checks run at a time, one checker each is enough. */
const ONE_PROCESSOR = { GOMAXPROCS: '1' };

/** What it found the last time is kept: a second look takes a tenth of the first, however little was found. */
function checkTypes(project: string): Promise<string> {
  const kept = path.join(root, '.cache', `types-${project.replaceAll(/\W+/g, '-')}.tsbuildinfo`);
  return tool('tsc', ['-p', project, '--noEmit', '--checkers', '1', '--incremental', '--tsBuildInfoFile', kept]);
}

/** Runs a tool of node_modules; its output lists the problems if it fails. */
function tool(name: string, words: string[], env?: Readonly<Record<string, string>>): Promise<string> {
  return output(bin(name), words, env);
}

function output(program: string, words: string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    const child = spawn(program, words, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
    }
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? '' : said || `${path.basename(program)} ended with ${code}`));
  });
}

function checkMigrations(): string[] {
  return readMigrations()
    .filter(({ number }) => number > LAST_BEFORE_RELEASES)
    .flatMap((migration) => findUnsafeStatements(migration));
}

async function checkCatalogues(): Promise<string> {
  const script = 'apps/console/scripts/check-catalogues.ts';
  return existsSync(path.join(root, script)) ? output(process.execPath, [script]) : '';
}

async function checkGenerated(): Promise<string> {
  const { findStale } = await import('./generate.ts');
  return findStale()
    .map(({ file }) => `${file} is stale: npm run generate`)
    .join('\n');
}

/** A test isolated by `only`, or skipped permanently, would not be noticed. Skips with a stated condition are fine. */
function findSwitchedOff(): string[] {
  const problems: string[] = [];
  const wrong =
    /\b(?:test|it|describe|suite)\.(?:only|todo|skip)\s*\(|\bonly: true\b|\bskip: true\b|@ts-ignore|@ts-nocheck/;
  for (const folder of ['packages', 'apps', 'e2e', 'bench', 'scripts']) {
    for (const entry of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(entry) || /(^|\/)(node_modules|dist)\//.test(entry) || entry === 'checks.ts') continue;
      const lines = readFileSync(path.join(root, folder, entry), 'utf8').split('\n');
      lines.forEach((line, index) => {
        if (wrong.test(line)) problems.push(`${folder}/${entry}:${index + 1}: ${line.trim()}`);
      });
    }
  }
  return problems;
}
