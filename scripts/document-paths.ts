/** Files that documents name in backticks or link to: each must exist, so that moving a file moves its documents. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const tops = ['apps', 'packages', 'docs', 'e2e', 'bench', 'scripts'];
const skipped = /(^|\/)(node_modules|dist|spec|\.[^/]+)\//;

/** Returns a line for each path in a document below `root` that leads nowhere, and each decision without a status. */
export function findLostPaths(root: string): string[] {
  const files = listFiles(root);
  return [...findLost(root, files), ...findUnlistedDecisions(root, files)];
}

const decisions = 'docs/decisions';
const index = `${decisions}/README.md`;

/** The index has a row with a link and a status for each decision. */
function findUnlistedDecisions(root: string, files: readonly string[]): string[] {
  const text = files.includes(index) ? readFileSync(path.join(root, index), 'utf8') : '';
  const listed = [...text.matchAll(/^\| \[\d+\]\(([^)]+)\) \| [^|]+ \| (?:in force|amended by|superseded by)/gm)].map(
    ([, file = '']) => file,
  );
  return files
    .filter((file) => path.dirname(file) === decisions && /^\d+-.*\.md$/.test(path.basename(file)))
    .filter((file) => !listed.includes(path.basename(file)))
    .map((file) => `${index}: ${path.basename(file)} has no row with its status`);
}

function findLost(root: string, files: readonly string[]): string[] {
  const names = new Set(files.map((file) => path.basename(file)));
  return files
    .filter((file) => file.endsWith('.md'))
    .flatMap((document) => {
      const text = readFileSync(path.join(root, document), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
      const named = [...text.matchAll(/`([^`\s]+)`/g)].map(([, token = '']) => token);
      const linked = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = '']) => target);
      return [
        ...named.filter((token) => isLost(root, document, names, token)),
        ...linked.filter((target) => isLostLink(root, document, target)),
      ].map((lost) => `${document}: ${lost} does not exist`);
    });
}

/** Folders that a shorter path may start from, in addition to the document's own. */
const bases = ['', 'apps/server/src', 'apps/console', 'apps/console/src', 'packages'];

/** Returns whether the path leads nowhere. A test file may lack its ending; what follows a wildcard is not read. */
function isLost(root: string, document: string, names: ReadonlySet<string>, token: string): boolean {
  const [fixed = ''] = token.split(/[*<{…]/);
  const isWildcard = fixed !== token;
  const target = isWildcard ? path.posix.dirname(`${fixed}x`) : fixed;
  if (tops.some((top) => target.startsWith(`${top}/`))) return !exists(path.join(root, target));
  if (/^[a-z-]+\/src\//.test(target)) return !['apps', 'packages'].some((top) => exists(path.join(root, top, target)));
  if (isWildcard || !/^[\w./-]+\.(ts|tsx|mjs)$/.test(target) || target.startsWith('.')) return false;
  if (!target.includes('/')) return !names.has(target);
  return ![path.dirname(document), ...bases].some((folder) => exists(path.join(root, folder, target)));
}

const exists = (target: string): boolean => ['', '.ts', '.test.ts'].some((ending) => existsSync(target + ending));

function isLostLink(root: string, document: string, target: string): boolean {
  if (/^[a-z]+:|^\//.test(target)) return false;
  return !existsSync(path.join(root, path.dirname(document), target));
}

function listFiles(root: string): string[] {
  const own = readdirSync(root).filter((name) => name.endsWith('.md'));
  const below = tops
    .filter((top) => existsSync(path.join(root, top)))
    .flatMap((top) =>
      readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' }).map((f) => `${top}/${f}`),
    );
  return [...own, ...below.filter((file) => !skipped.test(file))].sort();
}
