/**
 * Refuses upward dependencies. Reads the package.json files against the floor order, and the sources for what a
 * package.json can't show: a test's package used outside tests, a path into another package, a feature that imports
 * another feature, a part of the interface that knows a feature, folders of a program out of their order.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { refuseOrder } from './folder-order.ts';

/** Allowed dependencies of each workspace; for programs and for tests alike. `testing`: additionally, in tests only. */
const FLOORS: Record<string, { uses: string[]; testing?: string[] }> = {
  'packages/smpp': { uses: [] },
  'packages/contract': { uses: [] },
  'packages/client': { uses: [] },
  'packages/domain': { uses: ['contract'] },
  'packages/engine': { uses: ['contract', 'domain'] },
  'packages/db': { uses: ['contract', 'domain'], testing: ['testkit'] },
  'packages/testkit': { uses: ['contract', 'domain', 'db'] },
  'apps/carrier-simulator': { uses: ['smpp'], testing: ['testkit'] },
  'apps/cli': { uses: ['client'] },
  'apps/server': {
    uses: ['contract', 'domain', 'engine', 'smpp', 'db'],
    testing: ['testkit', 'carrier-simulator', 'client'],
  },
  'apps/console': { uses: ['contract', 'domain'] },
  e2e: { uses: ['contract', 'domain', 'db', 'smpp', 'testkit', 'carrier-simulator', 'server'] },
  bench: { uses: ['contract', 'domain', 'engine', 'smpp', 'db', 'testkit', 'carrier-simulator', 'server'] },
};
const SCOPE = '@pahatid/';

interface PackageFile {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  exports?: unknown;
}

/** One line for each arrow that points up. */
export function findUpwardArrows(root: string): string[] {
  const problems: string[] = [];
  const { workspaces } = readJson<{ workspaces: string[] }>(path.join(root, 'package.json'));
  for (const workspace of workspaces) {
    const floor = FLOORS[workspace];
    if (floor === undefined) {
      problems.push(`${workspace}: has no floor in scripts/floors.ts`);
      continue;
    }
    problems.push(...checkPackageFile(root, workspace, floor), ...checkSources(root, workspace, floor));
  }
  return problems;
}

function checkPackageFile(root: string, workspace: string, floor: { uses: string[]; testing?: string[] }): string[] {
  const file = path.join(root, workspace, 'package.json');
  const { dependencies, devDependencies, optionalDependencies } = readJson<PackageFile>(file);
  const ours = (names: object | undefined): string[] =>
    Object.keys(names ?? {})
      .filter((name) => name.startsWith(SCOPE))
      .map((name) => name.slice(SCOPE.length));
  const refused = [
    ...[...ours(dependencies), ...ours(optionalDependencies)].filter((name) => !floor.uses.includes(name)),
    ...ours(devDependencies).filter((name) => !floor.uses.includes(name) && !floor.testing?.includes(name)),
  ];
  return refused.map((name) => `${workspace}/package.json: ${workspace} may not depend on ${name}`);
}

function checkSources(root: string, workspace: string, floor: { uses: string[]; testing?: string[] }): string[] {
  const problems: string[] = [];
  for (const file of sourceFiles(path.join(root, workspace))) {
    const name = path.relative(root, file).replaceAll(path.sep, '/');
    const text = readFileSync(file, 'utf8');
    for (const target of importsOf(text)) {
      const problem = refuse(root, workspace, floor, file, target);
      if (problem !== null) problems.push(`${name}: imports ${target}: ${problem}`);
    }
  }
  return problems;
}

function refuse(
  root: string,
  workspace: string,
  floor: { uses: string[]; testing?: string[] },
  file: string,
  target: string,
): string | null {
  if (target.startsWith(SCOPE)) {
    const name = target.slice(SCOPE.length).split('/')[0] ?? '';
    if (floor.uses.includes(name)) return null;
    return floor.testing?.includes(name) && isTest(file) ? null : `${workspace} stands below it, or beside`;
  }
  if (!target.startsWith('.')) return null;
  const name = path.relative(root, file).replaceAll(path.sep, '/');
  const reached = path.relative(root, path.resolve(path.dirname(file), target)).replaceAll(path.sep, '/');
  if (!reached.startsWith(`${workspace}/`)) return 'a path into another package: import it by name';
  const from = name.slice(workspace.length + 1);
  const to = reached.slice(workspace.length + 1);
  const [mine, theirs] = [featureOf(from), featureOf(to)];
  // A test may put several features together, as the program does.
  if (mine !== null && theirs !== null && mine !== theirs && !isTest(file)) return 'features do not import features';
  if (mine === null && theirs !== null && /^src\/(ui|lib|http|sending|files)\//.test(from) && !isTest(file)) {
    return 'only what puts the program together knows a feature';
  }
  return isTest(file) ? null : refuseOrder(name, reached);
}

const featureOf = (file: string): string | null => /^src\/features\/([^/]+)\//.exec(file)?.[1] ?? null;

const isTest = (file: string): boolean => /\.test\.tsx?$|-for-test\.ts$|[\\/]testing[\\/]|-fixtures\.ts$/.test(file);

function* sourceFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (['node_modules', 'dist', 'generated'].includes(entry.name)) continue;
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* sourceFiles(file);
    else if (/\.tsx?$/.test(entry.name)) yield file;
  }
}

/** `from '…'`, `import('…')` and `import '…'` of whole lines; similar text in a comment is not an import. */
function importsOf(text: string): string[] {
  const found = text.matchAll(/^(?!\s*(?:\/\/|\*)).*?\b(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/gm);
  return [...found].map((match) => match[1] as string).filter((each) => /^(\.{1,2}\/|@pahatid\/)/.test(each));
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}
