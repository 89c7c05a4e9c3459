/**
 * Makes the package that is published: JavaScript and declarations, without sources, tests and dependencies.
 * `node packages/client/build/pack.ts [FOLDER]`; default `packages/client/dist`.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const here = path.join(import.meta.dirname, '..');
const root = path.join(here, '../..');

/** In addition to the settings of the project. */
const options = {
  noEmit: false,
  declaration: true,
  allowImportingTsExtensions: false,
  rewriteRelativeImportExtensions: true,
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: [],
  rootDir: path.join(here, 'src'),
};

/** Writes the package to an empty folder. Throws what the compiler says if it does not compile. */
export function pack(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const config = path.join(folder, 'tsconfig.json');
  const outDir = path.join(folder, 'dist');
  const extended = path.join(root, 'tsconfig.base.json');
  writeFileSync(
    config,
    JSON.stringify({
      extends: extended,
      compilerOptions: { ...options, outDir },
      files: [path.join(here, 'src/index.ts')],
    }),
  );
  execFileSync(path.join(root, 'node_modules/.bin/tsc'), ['-p', config], { stdio: ['ignore', 'pipe', 'pipe'] });
  rmSync(config);
  const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8'));
  const exported = { '.': { types: './dist/index.d.ts', default: './dist/index.js' } };
  writeFileSync(
    path.join(folder, 'package.json'),
    `${JSON.stringify({ ...manifest, exports: exported, files: readdirSync(folder) }, null, 2)}\n`,
  );
  cpSync(path.join(here, 'README.md'), path.join(folder, 'README.md'));
  cpSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
}

if (import.meta.main) {
  const folder = path.resolve(process.argv[2] ?? path.join(here, 'dist'));
  pack(folder);
  console.log(folder);
}
