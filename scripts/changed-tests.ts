/**
 * `npm test -- --changed`: the test files that a change can reach. A file reaches another by importing it, or by naming
 * it (or a folder of it) in a string: programs are started, and data read, by their paths.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const SCOPE = '@pahatid/';
const isSource = (file: string): boolean => /\.(?:[cm]?ts|tsx|[cm]?js)$/.test(file);
const isTest = (file: string): boolean => file.endsWith('.test.ts');

/** What any test may hang on, though none names it. */
const REACHES_ALL = [
  /(?:^|\/)package(?:-lock)?\.json$/,
  /(?:^|\/)tsconfig[^/]*\.json$/,
  /^scripts\/(?:run-tests|test-plan|test-cost|install|become|test)\.m?ts$|^scripts\/(?:install|become|test)\.mjs$/,
];
/** Checks read these; tests only where one names them. */
const REACHES_NONE = /\.(?:md|png|txt)$|(?:^|\/)(?:LICENSE|\.gitignore|\.gitattributes|biome\.json)$/;
/** Files that are found by listing their folder, or by a part of their name, and who does so. */
const LISTED: readonly (readonly [folder: RegExp, by: string])[] = [
  [/^packages\/db\/migrations\//, 'packages/db/src/migrate.ts'],
  [/^apps\/server\/src\/roles\/\w+\.ts$/, 'apps/server/src/roles/find-role.ts'],
  // A browser sees the built console, whatever of it has changed.
  [/^apps\/console\/(?!.*\.test\.tsx?$)/, 'e2e/src/browser.ts'],
];

export interface Reached {
  readonly tests: string[];
  /** One line for each decision that is not an import. */
  readonly notes: string[];
}

/** `sources`: of every file of the repository its text, where it is a program; else null. */
export function reachedTests(changed: readonly string[], sources: ReadonlyMap<string, string | null>): Reached {
  const tests = [...sources.keys()].filter(isTest);
  const notes: string[] = [];
  const all = changed.find((file) => REACHES_ALL.some((each) => each.test(file)));
  if (all !== undefined) return { tests, notes: [`${all} has changed: every test`] };
  const users = findUsers(sources);
  const queue = new Set(changed);
  for (const file of changed) {
    for (const [folder, by] of LISTED) {
      if (!folder.test(file) || queue.has(by)) continue;
      notes.push(`${file} has changed: as if ${by} had`);
      queue.add(by);
    }
    const isKnown = isSource(file) || users.has(file) || LISTED.some(([folder]) => folder.test(file));
    if (isKnown) continue;
    if (!REACHES_NONE.test(file)) return { tests, notes: [`${file} has changed, and no program names it: every test`] };
    notes.push(`${file} has changed: no test reads it`);
  }
  // A set grows while it is walked.
  for (const file of queue) for (const user of users.get(file) ?? []) queue.add(user);
  return { tests: tests.filter((file) => queue.has(file)), notes };
}

/** Of each file those that import or name it. */
function findUsers(sources: ReadonlyMap<string, string | null>): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>();
  const below = filesByFolder(sources.keys());
  const packages = exportsOf(sources);
  for (const [file, text] of sources) {
    if (text === null || !isSource(file)) continue;
    for (const name of namesIn(text)) {
      for (const target of targetsOf(file, name, sources, below, packages)) {
        // Nothing hangs on a test: where one is named, it is to be run.
        if (target !== file && !isTest(target)) users.set(target, (users.get(target) ?? new Set()).add(file));
      }
    }
  }
  return users;
}

/** Strings that may be a module or a path; not those of comments. */
function namesIn(text: string): Set<string> {
  const code = text.replaceAll(/^\s*(?:\/\*|\*|\/\/).*$/gm, '');
  const found = code.matchAll(/(['"`])((?:\.{0,2}\/|@pahatid\/)?[\w@][\w@.$/-]*)\1|(['"])(\.{1,2}\/[\w@./-]+)\3/g);
  return new Set([...found].map((match) => (match[2] ?? match[4]) as string));
}

function targetsOf(
  file: string,
  name: string,
  sources: ReadonlyMap<string, string | null>,
  below: ReadonlyMap<string, string[]>,
  packages: ReadonlyMap<string, string>,
): readonly string[] {
  if (name.startsWith(SCOPE)) {
    const target = packages.get(name);
    return target === undefined ? [] : [target];
  }
  const places = [path.posix.join(path.posix.dirname(file), name), path.posix.normalize(name.replace(/^\//, ''))];
  for (const place of places) {
    if (sources.has(place)) return [place];
    // A word that happens to be a folder's name next to it is no path, and neither is the address of a page.
    const listed = name.includes('/') && !name.startsWith('/') ? below.get(place.replace(/\/$/, '')) : undefined;
    if (listed !== undefined) return listed;
  }
  return [];
}

function filesByFolder(files: Iterable<string>): Map<string, string[]> {
  const below = new Map<string, string[]>();
  for (const file of files) {
    for (let folder = path.posix.dirname(file); folder !== '.'; folder = path.posix.dirname(folder)) {
      const list = below.get(folder);
      if (list === undefined) below.set(folder, [file]);
      else list.push(file);
    }
  }
  return below;
}

/** `@pahatid/db/queries/alerts` → the file it is. */
function exportsOf(sources: ReadonlyMap<string, string | null>): Map<string, string> {
  const found = new Map<string, string>();
  for (const [file, text] of sources) {
    if (path.posix.basename(file) !== 'package.json' || text === null) continue;
    const { name, exports } = JSON.parse(text) as { name?: string; exports?: Record<string, unknown> };
    if (!name?.startsWith(SCOPE)) continue;
    const folder = path.posix.dirname(file);
    for (const [key, value] of Object.entries(exports ?? {})) {
      if (typeof value !== 'string') continue;
      const target = path.posix.join(folder, value);
      if (!key.includes('*')) {
        found.set(path.posix.join(name, key), target);
        continue;
      }
      const [start = '', end = ''] = target.split('*');
      for (const each of sources.keys()) {
        if (!each.startsWith(start) || !each.endsWith(end)) continue;
        found.set(path.posix.join(name, key).replace('*', each.slice(start.length, each.length - end.length)), each);
      }
    }
  }
  return found;
}

/** What differs from the branch's beginning (`origin/main`; where there is none, from the last commit), new files too. */
export function changedFiles(root: string): { base: string; files: string[] } {
  const git = (...words: string[]): string =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  let base = 'HEAD';
  try {
    base = git('merge-base', 'HEAD', 'origin/main').trim();
  } catch {
    // A clone without that branch.
  }
  const lists = [git('diff', '--name-only', '-z', base), git('ls-files', '--others', '--exclude-standard', '-z')];
  const files = lists.flatMap((list) => list.split('\0')).filter((file) => file !== '');
  return { base, files: [...new Set(files)].sort() };
}

export function readSources(root: string): Map<string, string | null> {
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const sources = new Map<string, string | null>();
  for (const file of new Set(list.split('\0'))) {
    const place = path.join(root, file);
    if (file === '' || !existsSync(place) || !statSync(place).isFile()) continue;
    const isRead = isSource(file) || path.posix.basename(file) === 'package.json';
    sources.set(file, isRead ? readFileSync(place, 'utf8') : null);
  }
  return sources;
}
