/** Lists the files that a module of the console loads, from the manifest that vite writes with a build. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** An entry of `.vite/manifest.json`. */
export interface ManifestChunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
}

export type Manifest = Readonly<Record<string, ManifestChunk>>;

/** Vite names modules that are not files relative to its working directory; here they are always `virtual:…`. */
export function readManifest(dist: string): Manifest {
  const text = readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8');
  return JSON.parse(text.replaceAll(/"[^"]*?(?=virtual:)/g, '"')) as Manifest;
}

/** The files of the modules and of all that they import; scripts and style sheets, each once. */
export function filesOf(manifest: Manifest, keys: readonly string[]): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const add = (key: string) => {
    if (seen.has(key)) return;
    seen.add(key);
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`The build has no module ${key}`);
    // In the browser's load order: imports come first.
    for (const below of chunk.imports ?? []) add(below);
    files.add(chunk.file);
    for (const sheet of chunk.css ?? []) files.add(sheet);
  };
  for (const key of keys) add(key);
  return files;
}

/** The module of each screen by its path, read from `src/app/screens.ts`. */
export function screenModules(screensSource: string): Map<string, string> {
  const found = screensSource.matchAll(/'(\/[\w/]+)': \{[^}]*?import\('(?:\.\.\/(features\/[^']+)|\.\/([^']+))'\)/g);
  // A screen of several features is put together in `app`.
  const modules = new Map([...found].map(([, path = '', file, own]) => [path, `src/${file ?? `app/${own}`}`]));
  if (modules.size === 0) throw new Error('No screen is found in screens.ts');
  return modules;
}

/** What every visit begins with. */
export const PAGE = 'index.html';
export const SIGN_IN = 'src/app/sign-in/sign-in-page.tsx';
export const CONSOLE = ['src/app/app.tsx', 'src/app/shell/shell.tsx'] as const;
export const textsOf = (locale: string, part: 'signIn' | 'arrival' | 'console'): string =>
  `virtual:catalogue/${locale}/${part}`;
