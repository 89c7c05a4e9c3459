/**
 * Makes a package as it is published: JavaScript and declarations, without sources and tests.
 * `npm run pack -- packages/client`, `npm run pack -- apps/cli`; in the folder `dist` of each, or in another one.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const EXECUTABLE = 0o755;

/** In addition to the settings of the project. */
const options = {
  noEmit: false,
  declaration: true,
  allowImportingTsExtensions: false,
  rewriteRelativeImportExtensions: true,
  lib: ['es2024', 'dom', 'dom.iterable'],
};

interface Manifest {
  readonly exports?: Record<string, string>;
  readonly bin?: Record<string, string>;
  readonly devDependencies?: unknown;
}

const compiled = (source: string, ending: string): string =>
  source.replace('./src/', './dist/').replace(/\.ts$/, ending);

/** Writes the package to an empty folder. Throws what the compiler says if it does not compile. */
export function packPackage(workspace: string, folder: string): void {
  const here = path.join(root, workspace);
  const { devDependencies: _, ...manifest } = JSON.parse(
    readFileSync(path.join(here, 'package.json'), 'utf8'),
  ) as Manifest;
  const sources = [...Object.values(manifest.exports ?? {}), ...Object.values(manifest.bin ?? {})];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  compile(here, sources, folder);
  const bin = Object.entries(manifest.bin ?? {}).map(([name, source]) => [name, compiled(source, '.js')] as const);
  for (const [, program] of bin) chmodSync(path.join(folder, program), EXECUTABLE);
  const exported = Object.entries(manifest.exports ?? {}).map(([name, source]) => [
    name,
    { types: compiled(source, '.d.ts'), default: compiled(source, '.js') },
  ]);
  const published = {
    ...manifest,
    ...(exported.length > 0 && { exports: Object.fromEntries(exported) }),
    ...(bin.length > 0 && { bin: Object.fromEntries(bin) }),
    files: ['dist'],
  };
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  cpSync(path.join(here, 'README.md'), path.join(folder, 'README.md'));
  cpSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
}

function compile(here: string, sources: readonly string[], folder: string): void {
  // Next to the sources, so that the compiler finds their dependencies.
  const config = path.join(here, `tsconfig.pack-${process.pid}.json`);
  const compilerOptions = { ...options, rootDir: path.join(here, 'src'), outDir: path.join(folder, 'dist') };
  writeFileSync(
    config,
    JSON.stringify({
      extends: path.join(root, 'tsconfig.base.json'),
      compilerOptions,
      files: sources.map((source) => path.join(here, source)),
    }),
  );
  try {
    execFileSync(path.join(root, 'node_modules/.bin/tsc'), ['-p', config], { stdio: ['ignore', 'pipe', 'pipe'] });
  } finally {
    rmSync(config);
  }
}

if (import.meta.main) {
  const [workspace = 'packages/client', folder = path.join(root, workspace, 'dist')] = process.argv.slice(2);
  packPackage(workspace, path.resolve(folder));
  console.log(folder);
}
