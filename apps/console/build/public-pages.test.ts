import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync } from 'node:zlib';
import { errorCatalogue } from '@pahatid/contract';
import { storeNextPageMessage, takeNextPageMessage } from '../src/lib/next-page-message.ts';
import { writePublicPages } from './public-pages.ts';
import { listCalls } from './reference.ts';

const dist = mkdtempSync(path.join(tmpdir(), 'pahatid-public-'));
after(() => rmSync(dist, { recursive: true, force: true }));
await writePublicPages(dist);
const folder = path.join(dist, 'public');

/** Of HTML, styles and scripts together, on the wire. */
const mostBytes = 15 * 1_024;
const manifest = JSON.parse(readFileSync(path.join(folder, 'pages.json'), 'utf8')) as {
  pages: Record<string, string>;
  script: string[];
  style: string[];
};
const files = readdirSync(folder).filter((file) => file.endsWith('.html'));
const htmlOf = (file: string): string => readFileSync(path.join(folder, file), 'utf8');

test('every public address has a page in both languages', () => {
  const addresses = Object.keys(manifest.pages).filter((address) => !/^\/docs\/(?:reference|errors)\//.test(address));
  assert.deepEqual(addresses.sort(), [
    '/',
    '/about',
    '/contact',
    '/docs',
    '/docs/callbacks',
    '/docs/changelog',
    '/docs/client',
    '/docs/compatibility',
    '/docs/errors',
    '/docs/limits',
    '/docs/reference',
    '/docs/sending',
    '/docs/smpp',
    '/docs/statuses',
    '/docs/templates',
    '/docs/test-mode',
    '/docs/verify',
    '/docs/versions',
    '/faq',
    '/meta',
    '/price',
    '/privacy-policy',
    '/request-account',
    '/services',
    '/services/cpaas',
    '/services/saas',
    '/terms-and-conditions',
  ]);
  const notices = ['link-ended', 'link-unknown', 'link-blocked', 'link-reported'];
  const expected = [...new Set([...Object.values(manifest.pages), ...notices])].flatMap((name) => [
    `${name}.en-US.html`,
    `${name}.zh-CN.html`,
  ]);
  assert.deepEqual(files.sort(), expected.sort());
});

test('a page with its styles and scripts is at most 15 KB on the wire', () => {
  // Of the pages of errors, which are alike, the longest.
  const ofErrors = files.filter((file) => file.startsWith('docs-errors-'));
  const [longest] = ofErrors.toSorted((a, b) => htmlOf(b).length - htmlOf(a).length);
  const sizes = files
    .filter((file) => file === longest || !ofErrors.includes(file))
    .map((file) => [file, brotliCompressSync(htmlOf(file)).length] as const);
  assert.deepEqual(
    sizes.filter(([, bytes]) => bytes > mostBytes),
    [],
  );
});

test('a link to a page is shown elsewhere with a picture that exists, in the language of the page', () => {
  for (const file of files.filter((name) => !name.startsWith('link-'))) {
    const image = /og:image" content="\{\{origin\}\}\/([^"]+)"/.exec(htmlOf(file))?.[1] ?? '';
    assert.ok(image.includes(file.split('.').at(-2) ?? ''), `${file}: ${image}`);
    assert.ok(existsSync(path.resolve(import.meta.dirname, '../public', image)), image);
  }
});

test('the icon exists in every format that is requested', () => {
  const open = (name: string): Buffer => readFileSync(path.resolve(import.meta.dirname, '../public', name));
  const pictures = open('favicon.ico');
  assert.deepEqual([...pictures.subarray(0, 6)], [0, 0, 1, 0, 3, 0]);
  assert.ok(open('apple-touch-icon.png').subarray(1, 4).equals(Buffer.from('PNG')));
  for (const file of files)
    for (const [, name = ''] of htmlOf(file).matchAll(/<link rel="(?:apple-touch-)?icon" href="\/([^"]+)"/g))
      assert.ok(open(name).length > 0, `${file}: ${name}`);
});

test('S26 all scripts and styles of a page are hashed; no inline attributes; no requests to other hosts', () => {
  for (const file of files) {
    const html = htmlOf(file);
    const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => hashOf(text));
    const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, text = '']) => hashOf(text));
    assert.ok(scripts.length > 0 && scripts.every((hash) => manifest.script.includes(hash)), file);
    assert.ok(styles.length === 1 && styles.every((hash) => manifest.style.includes(hash)), file);
    assert.equal(/<[^>]+ style=/.test(html), false, file);
    assert.equal(/<[^>]+ on[a-z]+=/.test(html), false, file);
    assert.equal(
      /<script[^>]* src=|<link[^>]*rel="(?:stylesheet|preload|modulepreload)"|@import|url\((?!#)/.test(html),
      false,
    );
    const addresses = [...html.matchAll(/(?:href|src|content)="(https?:[^"]*)"/g)].map(([, address]) => address);
    assert.deepEqual(addresses, [], file);
  }
});

test('a page names its language, its title, its address and the address of the other language', () => {
  for (const [address, name] of Object.entries(manifest.pages).filter(([at]) => at !== '/meta'))
    for (const locale of ['zh-CN', 'en-US']) {
      const html = htmlOf(`${name}.${locale}.html`);
      assert.match(html, new RegExp(`^<!doctype html><html lang="${locale}" dir="ltr">`));
      assert.equal([...html.matchAll(/<h1[ >]/g)].length, 1, name);
      assert.match(html, /<title>[^<]{5,}<\/title>/);
      assert.match(html, /<meta name="description" content="[^"]{10,}">/);
      assert.ok(html.includes(`<link rel="canonical" href="{{origin}}${address}?lang=${locale}">`));
      for (const other of ['zh-CN', 'en-US'])
        assert.ok(html.includes(`hreflang="${other}" href="{{origin}}${address}?lang=${other}"`));
      assert.ok(html.includes(`<meta property="og:image" content="{{origin}}/og-${locale}.png">`));
      const data = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
      assert.equal((JSON.parse(data) as { inLanguage: string }).inLanguage, locale);
    }
});

test('at least thirty questions are answered in both languages, without a script', () => {
  const answers = ['zh-CN', 'en-US'].map(
    (locale) =>
      [...htmlOf(`faq.${locale}.html`).matchAll(/<details id="[a-z0-9-]+"><summary>[^<]+<\/summary><p>[^<]+<\/p>/g)]
        .length,
  );
  assert.ok(answers.every((count) => count >= 30));
  assert.equal(answers[0], answers[1]);
});

test('the page of errors has every code of the catalogue, with a text of its language', () => {
  for (const locale of ['en-US', 'zh-CN']) {
    const html = htmlOf(`docs-errors.${locale}.html`);
    for (const code of Object.keys(errorCatalogue))
      assert.match(html, new RegExp(`<h2 id="${code}">(?:<a href="/docs/errors/${code}">)?${code}<`));
  }
  assert.match(
    htmlOf('docs-errors.en-US.html'),
    /HTTP 429 · Too many requests\. Try again in \{retryAfterS\} seconds\./,
  );
});

test('each code that software may get has a page: meaning, what to do, an example, and the calls that answer it', () => {
  const codes = new Set(listCalls().flatMap(({ codes: each }) => each));
  assert.ok(codes.size > 50);
  for (const code of codes) {
    assert.ok(Object.hasOwn(errorCatalogue, code), code);
    for (const locale of ['en-US', 'zh-CN'])
      assert.ok(htmlOf(`docs-errors-${code}.${locale}.html`).includes(`{{origin}}/docs/errors/${code}`), code);
  }
  const html = htmlOf('docs-errors-MESSAGE_HANDED_OVER.en-US.html');
  assert.match(html, /HTTP<\/th><td>409/);
  assert.match(html, /only while it waits/);
  assert.match(html, /<li><a href="\/docs\/reference\/messages#[^"]+"><code>DELETE \/messages\/\{messageId\}</);
  assert.match(htmlOf('docs-errors-RATE_LIMITED.en-US.html'), /Retry-After header[\s\S]*Every call\./);
});

test('links of a page lead to pages there are', () => {
  // The last two are screens of the console.
  const ours = ['/api/docs', '/api/openapi.json', '/icon.svg', '/application', '/developer'];
  const known = new Set([...Object.keys(manifest.pages), ...ours]);
  for (const file of files)
    for (const [, href = ''] of htmlOf(file).matchAll(/<a [^>]*href="([^"]*)"/g)) {
      const [address = ''] = href.split(/[?#]/);
      // The server fills in the address of a demo elsewhere.
      assert.ok(/^[#?]/.test(href) || href === '{{demo-url}}' || known.has(address), `${file}: ${href}`);
    }
});

test('the landing page shows a message left by the console once, and not before reloading in another language', () => {
  const html = htmlOf('landing.en-US.html');
  assert.match(html, /<div class="toaster" role="status"><div class="toast is-success" dir="auto" hidden=""/);
  assert.match(html, /\.toast\[hidden\]\{display:none\}/);
  const script = html.slice(html.lastIndexOf('<script>') + '<script>'.length, html.lastIndexOf('</script>'));
  const stored = new Map<string, string>();
  const sessionStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  };
  Object.defineProperty(globalThis, 'sessionStorage', { value: sessionStorage, configurable: true });
  const load = (dataset: object) => {
    const note = { hidden: true, lang: '', lastElementChild: { textContent: '' } };
    const document = { documentElement: { dataset }, querySelector: () => note, querySelectorAll: () => [] };
    runInNewContext(script, { document, sessionStorage, setTimeout: () => 0 });
    return note;
  };
  storeNextPageMessage({ text: 'خارج شدید', lang: 'fa-IR' });
  assert.equal(load({ leaving: '' }).hidden, true);
  assert.deepEqual(load({}), { hidden: false, lang: 'fa-IR', lastElementChild: { textContent: 'خارج شدید' } });
  assert.equal(takeNextPageMessage(), null);
  assert.equal(load({}).hidden, true);
});
