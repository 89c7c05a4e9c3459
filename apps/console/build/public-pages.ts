/**
 * The public pages as files: one HTML for each page and language, with inlined styles and scripts, under
 * `dist/public/`. `pages.json` next to them maps each address to its file and contains the hashes that allow the
 * browser to run the inlined scripts. The server fills in `{{origin}}` and prices, and compresses.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type Plugin, runnerImport } from 'vite';
import type { PublicLocale } from '../src/features/public/copy/shapes.ts';
import type { DocsContent } from '../src/features/public/docs/render-docs.tsx';
import type { DrawnPage } from '../src/features/public/drawn-page.ts';
import { themeCss } from '../src/ui/theme/tokens.ts';
import { catalogues } from './catalogues.ts';
import { writeDocsIndex } from './docs-index.ts';
import { readErrorPages } from './error-pages.ts';
import { docsCopy, readGuides } from './guides.ts';
import { readReference } from './reference.ts';
import { keepUsedProperties, keepUsedRules, propertiesIn } from './used-rules.ts';

const source = path.resolve(import.meta.dirname, '../src');
const styleFiles = [
  'ui/base/base.css',
  'ui/base/button.css',
  'ui/status/status-tag.css',
  'ui/panes/panes.css',
  'ui/data/data.css',
  'ui/feedback/feedback.css',
  'features/public/site-frame.css',
  'features/public/site-foot.css',
  'features/public/landing/hero.css',
  'features/public/landing/landing.css',
  'features/public/public.css',
  'features/public/pages/price.css',
  'features/public/pages/faq.css',
  'features/public/pages/page-part.css',
  'features/public/pages/services/feature.css',
  'features/public/pages/services/saas.css',
  'features/public/pages/services/cpaas.css',
  'features/public/pages/services/services.css',
  'features/public/pages/about.css',
  'features/public/pages/request/request.css',
  'features/public/docs/docs.css',
];

/** Of the frame that `wrap` puts around a page, and what scripts make while it is open. */
const extraClasses = ['skip', 'button', 'is-problem'];

/** Components name their style sheets; here the sheets are read by `readStyles`. */
const withoutStyles: Plugin = {
  name: 'pahatid-without-styles',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('.css') ? '\0no-styles' : undefined),
  load: (id) => (id === '\0no-styles' ? '' : undefined),
};

export function publicPages(): Plugin {
  return {
    name: 'pahatid-public-pages',
    apply: 'build',
    async writeBundle({ dir }) {
      if (dir === undefined) throw new Error('The build has no folder');
      await writePublicPages(dir);
    },
  };
}

type DrawPages = (docs: Record<PublicLocale, DocsContent>) => DrawnPage[];

/** Writes all pages and `pages.json` into `public` of the folder, and the index of the search into `docs`. */
export async function writePublicPages(dist: string): Promise<void> {
  const folder = path.join(dist, 'public');
  mkdirSync(folder, { recursive: true });
  const { module } = await runnerImport<{ drawPages: DrawPages }>(
    path.join(source, 'features/public/render-pages.tsx'),
    {
      configFile: false,
      root: source,
      logLevel: 'warn',
      plugins: [withoutStyles, react(), catalogues(path.join(source, 'locales'))],
    },
  );
  const scripts = {
    head: await buildScript('head'),
    landing: await buildScript('landing'),
    price: await buildScript('price'),
    faq: await buildScript('faq'),
    contact: await buildScript('contact'),
    request: await buildScript('request'),
    docs: await buildScript('docs'),
    start: await buildScript('start'),
  };
  const hashes = { script: new Set<string>(), style: new Set<string>() };
  const pages: Record<string, string> = {};
  const read = (locale: PublicLocale): DocsContent => ({
    guides: readGuides(locale),
    reference: readReference(locale),
    errors: readErrorPages(locale, docsCopy[locale]),
  });
  const docs = { 'zh-CN': read('zh-CN'), 'en-US': read('en-US') };
  await writeDocsIndex(path.join(dist, 'docs'), docs);
  const styleOf = makeStyler(readStyles());
  for (const page of module.drawPages(docs)) {
    const style = styleOf(page.html);
    const own = page.script === null ? null : scripts[page.script];
    hashes.style.add(hashOf(style));
    for (const script of [scripts.head, ...(own === null ? [] : [own])]) hashes.script.add(hashOf(script));
    writeFileSync(path.join(folder, `${page.name}.${page.locale}.html`), wrap(page, style, scripts.head, own));
    if (!page.isNotice) pages[page.path] = page.name;
  }
  // The specification has the landing page at two addresses.
  pages['/meta'] = 'landing';
  writeFileSync(
    path.join(folder, 'pages.json'),
    JSON.stringify({ pages, script: [...hashes.script], style: [...hashes.style] }),
  );
}

/** Pages of a kind have the same classes and read the same properties, and so have the same style. */
function makeStyler(styles: string): (html: string) => string {
  const known = new Map<string, string>();
  return (html) => {
    const classes = new Set([...classesIn(html), ...extraClasses]);
    const properties = propertiesIn(html);
    const key = [...classes, ...[...properties].map((name) => `--${name}`)].sort().join(' ');
    const style = known.get(key) ?? minify(keepUsedProperties(keepUsedRules(styles, classes), properties));
    known.set(key, style);
    return style;
  };
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Includes the dark palette where no script sets the theme. */
function readStyles(): string {
  const theme = themeCss();
  const dark = /\[data-theme='dark'\] \{([^}]*)\}/.exec(theme)?.[1];
  if (dark === undefined) throw new Error('The theme has no dark palette');
  return [
    theme,
    `@media (prefers-color-scheme: dark) { :root:not([data-theme]) { ${dark} } }`,
    ...styleFiles.map((file) => readFileSync(path.join(source, file), 'utf8')),
  ].join('\n');
}

/** A space before a colon may be a descendant's (`:lang(zh) :is(…)`), one after it never means anything. */
const minify = (css: string): string =>
  css
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
    .trim();

function classesIn(html: string): Set<string> {
  return new Set([...html.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')));
}

async function buildScript(name: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: {
        input: path.join(source, `features/public/browser/${name}.ts`),
        output: { format: 'iife' },
      },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (output === undefined || !('output' in output)) throw new Error(`The script ${name} was not built`);
  return output.output[0].code.trim();
}

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function wrap(page: DrawnPage, style: string, head: string, own: string | null): string {
  const { path: address, locale, title, description } = page;
  const other = locale === 'zh-CN' ? 'en-US' : 'zh-CN';
  const url = (lang: string) => `{{origin}}${address}?lang=${lang}`;
  const imageTitle = `Pahatid · ${locale === 'zh-CN' ? '每一条短信，都有回音' : 'Every message gets an answer'}`;
  const skip = locale === 'zh-CN' ? '跳到正文' : 'Skip to content';
  // The data must not contain text that closes the element.
  const data = JSON.stringify(page.data).replaceAll('<', '\\u003c');
  const found = page.isNotice
    ? '<meta name="robots" content="noindex">'
    : `<link rel="canonical" href="${url(locale)}"><link rel="alternate" hreflang="zh-CN" href="${url('zh-CN')}"><link rel="alternate" hreflang="en-US" href="${url('en-US')}"><link rel="alternate" hreflang="x-default" href="{{origin}}${address}"><meta property="og:type" content="website"><meta property="og:site_name" content="Pahatid"><meta property="og:title" content="${escapeText(title)}"><meta property="og:description" content="${escapeText(description)}"><meta property="og:url" content="${url(locale)}"><meta property="og:locale" content="${locale.replace('-', '_')}"><meta property="og:locale:alternate" content="${other.replace('-', '_')}"><meta property="og:image" content="{{origin}}/og-${locale}.png"><meta property="og:image:alt" content="${escapeText(imageTitle)}"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="630"><meta name="twitter:card" content="summary_large_image"><script type="application/ld+json">${data}</script>`;
  return `<!doctype html><html lang="${locale}" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover"><script>${head}</script><title>${escapeText(title)}</title><meta name="description" content="${escapeText(description)}"><meta name="color-scheme" content="light dark"><meta name="theme-color" media="(prefers-color-scheme: light)" content="#F3F6F6"><meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0A1216"><link rel="icon" href="/icon.svg" type="image/svg+xml"><link rel="apple-touch-icon" href="/apple-touch-icon.png">${found}<style>${style}</style></head><body><a class="skip button" href="#content">${skip}</a>${page.html}${own === null ? '' : `<script>${own}</script>`}</body></html>`;
}
