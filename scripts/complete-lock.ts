/**
 * Completes package-lock.json: if the available registry lacks a package for another platform, `npm install` omits it
 * from the lock and `npm ci` then refuses the lock ("Missing: … from lock file"). An entry with its platform is enough:
 * npm fetches it only on that platform. Run it after `npm install`; `npm run check` reports when.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const file = path.join(import.meta.dirname, '../package-lock.json');

interface Entry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

interface Lock {
  packages: Record<string, Entry>;
}

/** Optional packages that a package of the lock names and the lock does not have. */
export function findMissing(lock: Lock): { place: string; entry: Entry }[] {
  const found = new Map<string, Entry>();
  for (const [owner, { dev, optionalDependencies = {} }] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (placesOf(owner, name).some((place) => place in lock.packages)) continue;
      found.set(`node_modules/${name}`, {
        version,
        ...platformOf(name),
        ...(dev ? { dev: true } : {}),
        optional: true,
      });
    }
  }
  return [...found].map(([place, entry]) => ({ place, entry }));
}

/** Paths where Node would look for it, from the owner's own folder up. */
function placesOf(owner: string, name: string): string[] {
  const places = [`node_modules/${name}`];
  for (let folder = owner; folder !== ''; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    places.push(`${folder}/node_modules/${name}`);
  }
  return places;
}

/** Packages for one platform contain it in their names: `binding-linux-x64-musl`, `cli-darwin-arm64`. */
function platformOf(name: string): Entry {
  const match = /(android|darwin|freebsd|linux|openharmony|win32)-([a-z0-9]+)(?:-([a-z]+))?$/.exec(name);
  if (match === null) throw new Error(`${name}: its platform can not be read from its name`);
  const [, os, cpu, rest] = match as unknown as [string, string, string, string?];
  const libc = os !== 'linux' || rest === undefined ? null : rest.startsWith('musl') ? 'musl' : 'glibc';
  return { os: [os], cpu: [cpu], ...(libc === null ? {} : { libc: [libc] }) };
}

if (import.meta.main) {
  const lock = JSON.parse(readFileSync(file, 'utf8')) as Lock;
  const missing = findMissing(lock);
  for (const { place, entry } of missing) lock.packages[place] = entry;
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
  if (missing.length > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(missing.length === 0 ? 'The lock is complete.' : `Added ${missing.length} packages of other platforms.`);
}
