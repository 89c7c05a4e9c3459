/**
 * Lets a page request all that its screen needs immediately, instead of one import after the other. For each path
 * `dist/public/preloads.json` has the links that the server puts into the page; the texts, whose language only the
 * browser knows, are named at the page's first script.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { CONSOLE, filesOf, type Manifest, PAGE, readManifest, SIGN_IN, screenModules, textsOf } from './chunk-files.ts';

const locales = ['zh-CN', 'en-US'];

export function pagePreloads(screensFile: string): Plugin {
  return {
    name: 'pahatid-page-preloads',
    apply: 'build',
    // After vite's own, which writes the manifest.
    enforce: 'post',
    writeBundle({ dir }) {
      if (dir === undefined) throw new Error('The build has no folder');
      const manifest = readManifest(dir);
      const folder = path.join(dir, 'public');
      mkdirSync(folder, { recursive: true });
      const preloads = preloadsOf(manifest, screenModules(readFileSync(screensFile, 'utf8')));
      writeFileSync(path.join(folder, 'preloads.json'), JSON.stringify(preloads));
      const page = path.join(dir, 'index.html');
      writeFileSync(page, nameTexts(readFileSync(page, 'utf8'), manifest));
    },
  };
}

/** The links by path; `*` for pages that are none of the screens. */
export function preloadsOf(manifest: Manifest, screens: ReadonlyMap<string, string>): Record<string, string> {
  const here = filesOf(manifest, [PAGE]);
  const links = (...keys: string[]) =>
    [...filesOf(manifest, keys)]
      .filter((file) => !here.has(file))
      .map((file) =>
        file.endsWith('.css')
          ? `<link rel="preload" as="style" crossorigin href="/${file}">`
          : `<link rel="modulepreload" crossorigin href="/${file}">`,
      )
      .join('');
  const [app] = CONSOLE;
  return {
    '/': links(SIGN_IN),
    '*': links(app),
    '/setup': links(app, 'src/app/setup-screen.tsx'),
    '/invitation': links(app, 'src/app/invitation-screen.tsx'),
    ...Object.fromEntries([...screens].map(([address, module]) => [address, links(...CONSOLE, module)])),
  };
}

/** Adds `data-zh="/assets/signIn-….js /assets/arrival-….js /assets/console-….js"` to the first script. */
function nameTexts(page: string, manifest: Manifest): string {
  const names = locales.map((locale) => {
    const files = (['signIn', 'arrival', 'console'] as const).map((part) => {
      const [file] = filesOf(manifest, [textsOf(locale, part)]);
      return `/${file}`;
    });
    return ` data-${locale.slice(0, 2)}="${files.join(' ')}"`;
  });
  const named = page.replace('<script src="/boot.js"', `<script src="/boot.js"${names.join('')}`);
  if (named === page) throw new Error('The page has no first script');
  return named;
}
