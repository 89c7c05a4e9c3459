/** A second tree of the program, as another release next to this one: its files, and the packages installed here. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '../../../../..');
const PARTS = ['packages', 'apps/server', 'apps/carrier-simulator'];
const SCOPE = '@pahatid';

/** Copies the program into an empty folder, adds the migrations (text by file name), and returns its `main.ts`. */
export function copyRelease(folder: string, migrations: Readonly<Record<string, string>>): string {
  for (const part of PARTS)
    cpSync(path.join(ROOT, part), path.join(folder, part), {
      recursive: true,
      filter: (source) => !/(?:^|\/)(?:node_modules|dist|\.cache)$|\.test\.ts$/.test(source),
    });
  cpSync(path.join(ROOT, 'package.json'), path.join(folder, 'package.json'));
  linkPackages(folder);
  for (const [name, text] of Object.entries(migrations))
    writeFileSync(path.join(folder, 'packages/db/migrations', name), text);
  return path.join(folder, 'apps/server/src/main.ts');
}

/**
 * Writes the tree of a commit into a folder, made for it, and returns its root. It runs with the packages installed here:
 * a release that needs other packages can not be opened so.
 */
export function exportRelease(folder: string, commit: string): string {
  mkdirSync(folder, { recursive: true });
  const archive = `${folder}.tar`;
  execFileSync('git', ['archive', '-o', archive, commit, 'package.json', ...PARTS], { cwd: ROOT });
  execFileSync('tar', ['-x', '-f', archive, '-C', folder]);
  linkPackages(folder);
  return folder;
}

/** The packages of others are shared, ours are those of the tree. */
function linkPackages(folder: string): void {
  const installed = path.join(ROOT, 'node_modules');
  const modules = path.join(folder, 'node_modules');
  mkdirSync(path.join(modules, SCOPE), { recursive: true });
  for (const name of readdirSync(installed))
    if (name !== SCOPE) symlinkSync(path.join(installed, name), path.join(modules, name));
  for (const name of readdirSync(path.join(folder, 'packages')))
    symlinkSync(path.join(folder, 'packages', name), path.join(modules, SCOPE, name));
  symlinkSync(path.join(folder, 'apps/carrier-simulator'), path.join(modules, SCOPE, 'carrier-simulator'));
  for (const part of PARTS) {
    const own = path.join(ROOT, part, 'node_modules');
    if (existsSync(own)) symlinkSync(own, path.join(folder, part, 'node_modules'));
  }
}
