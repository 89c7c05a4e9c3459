/** Which packages of the lock an archive contains, and where their files are. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';

export interface Platform {
  readonly name: string;
  readonly os: string;
  readonly cpu: string;
  readonly libc: string;
}

/** Those that have both a pinned Node and an embedded PostgreSQL, and where the roles are proven. */
export const PLATFORMS: readonly Platform[] = ['x64', 'arm64'].map((cpu) => ({
  name: `linux-${cpu}`,
  os: 'linux',
  cpu,
  libc: 'glibc',
}));

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  /** Of a workspace: its folder. */
  readonly resolved?: string;
  readonly link?: boolean;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
  readonly libc?: string | readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export type Lock = Readonly<Record<string, Locked>>;

export const readLock = (root: string): Lock =>
  (JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as { packages: Lock }).packages;

/** Returns the path in the lock of everything that these paths need on the platform, workspaces included. */
export function collectPackages(lock: Lock, from: readonly string[], platform: Platform): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [...from];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (found.has(place)) continue;
    found.add(place);
    for (const { name, isOptional } of needsOf(lock[place] ?? {})) {
      const needed = resolvePlace(lock, place, name);
      if (needed !== undefined && fits(lock[needed] ?? {}, platform)) waiting.push(needed);
      else if (!isOptional)
        throw new Error(`${place} needs ${name}, which the lock does not have for ${platform.name}`);
    }
  }
  return found;
}

function needsOf(entry: Locked): { name: string; isOptional: boolean }[] {
  const { dependencies, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = entry;
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  const names = new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]);
  return [...names].map((name) => ({ name, isOptional: name in optionalDependencies }));
}

/** Where Node would find it: from the owner's own folder up. */
function resolvePlace(lock: Lock, owner: string, name: string): string | undefined {
  for (let folder = owner; ; folder = folder.includes('/') ? path.posix.dirname(folder) : '') {
    const place = path.posix.join(folder, 'node_modules', name);
    const entry = lock[place];
    if (entry !== undefined) return entry.link ? entry.resolved : place;
    if (folder === '') return undefined;
  }
}

const fits = ({ os, cpu, libc }: Locked, platform: Platform): boolean =>
  [
    [os, platform.os],
    [cpu, platform.cpu],
    [libc, platform.libc],
  ].every(([allowed, mine]) => allowed === undefined || [allowed].flat().includes(mine as string));

export const nameOfPlace = (place: string): string =>
  place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

/**
 * Returns the folder of the package: the installed one, or, for another platform, a download through npm that is kept in
 * `cache` and whose bytes the lock confirms.
 */
export async function findPackageFolder(root: string, lock: Lock, place: string, cache: string): Promise<string> {
  const installed = path.join(root, place);
  if (existsSync(path.join(installed, 'package.json'))) return installed;
  const { version = '', integrity = '' } = lock[place] ?? {};
  const folder = path.join(cache, `${nameOfPlace(place).replace('/', '+')}-${version}`);
  if (!existsSync(folder)) await download(`${nameOfPlace(place)}@${version}`, integrity, folder);
  return folder;
}

async function download(what: string, integrity: string, folder: string): Promise<void> {
  mkdirSync(path.dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}.draft-`);
  try {
    const words = ['pack', what, '--pack-destination', draft, '--ignore-scripts', '--loglevel=error'];
    execFileSync('npm', words, { cwd: draft, stdio: ['ignore', 'ignore', 'inherit'] });
    const [file = ''] = readdirSync(draft);
    const bytes = readFileSync(path.join(draft, file));
    const hash = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    if (hash !== integrity) throw new Error(`${what} has other bytes than the lock says`);
    const whole = path.join(draft, 'package');
    await unpack(bytes, whole);
    renameSync(whole, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Files alone: packages of the registry have no links. The first folder of each path is npm's. */
async function unpack(bytes: Buffer, folder: string): Promise<void> {
  const archive = extract();
  Readable.from([gunzipSync(bytes)]).pipe(archive as unknown as Writable);
  for await (const entry of archive) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry as AsyncIterable<Uint8Array>) chunks.push(chunk);
    const target = path.join(folder, entry.header.name.slice(entry.header.name.indexOf('/') + 1));
    if (entry.header.type !== 'file' || !target.startsWith(folder + path.sep)) continue;
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, Buffer.concat(chunks));
  }
}
