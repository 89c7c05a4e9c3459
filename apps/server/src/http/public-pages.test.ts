import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { run, sql, uuidV7 } from '@pahatid/db';
import { demoFilter } from './public-pages.ts';
import { makeTestApi } from './testing/test-api.ts';

const consoleDir = mkdtempSync(path.join(tmpdir(), 'pahatid-site-'));
after(() => rmSync(consoleDir, { recursive: true, force: true }));
mkdirSync(path.join(consoleDir, 'public'));
writeFileSync(path.join(consoleDir, 'index.html'), '<html><meta content="__CSP_NONCE__">console</html>');
const drawn = (name: string, locale: string, text: string) =>
  writeFileSync(path.join(consoleDir, 'public', `${name}.${locale}.html`), `${locale} ${name} ${text}`);
for (const locale of ['zh-CN', 'en-US']) {
  drawn('landing', locale, '{{origin}}/');
  drawn('docs-errors', locale, 'errors');
  drawn('docs-errors-SCOPE_MISSING', locale, 'one error');
  drawn('price', locale, 'Globe {{price-text:Globe:3}} {{price-units:Globe:3}} other {{price-text::1}}');
}
writeFileSync(
  path.join(consoleDir, 'public', 'pages.json'),
  JSON.stringify({
    pages: {
      '/': 'landing',
      '/meta': 'landing',
      '/price': 'price',
      '/docs/errors': 'docs-errors',
      '/docs/errors/SCOPE_MISSING': 'docs-errors-SCOPE_MISSING',
    },
    script: ["'sha256-aaa'"],
    style: ["'sha256-bbb'"],
  }),
);

const origin = 'https://sms.example';
const api = await makeTestApi({ features: [], consoleDir, config: { publicUrl: origin } });
const get = (url: string, headers: Record<string, string> = {}) => api.app.inject({ url, headers });
const localeOf = async (url: string, headers: Record<string, string> = {}) =>
  (await get(url, headers)).payload.split(' ', 1)[0];

test('the type of a problem opens the page of its code, or that of all codes at its own', async () => {
  const { type, code } = (await get('/api/v1/nothing')).json() as { type: string; code: string };
  assert.equal(type, `${origin}/docs/errors/${code}`);
  const answer = await get(type.slice(origin.length));
  assert.deepEqual([answer.statusCode, answer.headers.location], [302, `/docs/errors#${code}`]);
  assert.equal(await localeOf('/docs/errors?lang=en-US'), 'en-US');
  assert.equal((await get('/docs/errors/NO_SUCH_CODE')).statusCode, 404);
  assert.equal(
    (await get('/docs/errors/SCOPE_MISSING?lang=zh-CN')).payload,
    'zh-CN docs-errors-SCOPE_MISSING one error',
  );
});

test('prices are those of the table that charges, without what was agreed with one customer', async () => {
  const pool = api.db.pool;
  await run(pool, sql`delete from price`);
  await run(
    pool,
    sql`insert into price (price_id, area_code, carrier, sms_type, customer_id, price) values
      (${uuidV7()}, 'PH', 'Globe', 3, null, 4125), (${uuidV7()}, 'PH', null, null, null, 3000),
      (${uuidV7()}, 'PH', 'Globe', 3, ${api.customerId}, 1)`,
  );
  const { payload } = await get('/price?lang=en-US');
  assert.equal(payload, 'en-US price Globe ₱0.4125 4125 other ₱0.30');
});

test('the language: the address, else the cookie, else the browser, else Chinese', async () => {
  const english = { 'accept-language': 'fil-PH, en-PH;q=0.8, zh;q=0.3' };
  assert.equal(await localeOf('/'), 'zh-CN');
  assert.equal(await localeOf('/', english), 'en-US');
  assert.equal(await localeOf('/', { 'accept-language': 'en;q=0.2, zh-TW;q=0.9' }), 'zh-CN');
  assert.equal(await localeOf('/', { 'accept-language': 'fr-FR, de' }), 'zh-CN');
  assert.equal(await localeOf('/', { 'accept-language': 'en;q=0, ;;;q=9, \u0000' }), 'zh-CN');
  assert.equal(await localeOf('/', { ...english, cookie: 'umi_locale=zh-CN' }), 'zh-CN');
  assert.equal(await localeOf('/', { cookie: 'umi_locale=fr-FR' }), 'en-US');
  assert.equal(await localeOf('/', { ...english, cookie: 'umi_locale=<x>' }), 'en-US');
  assert.equal(await localeOf('/price?lang=zh-CN', { ...english, cookie: 'umi_locale=en-US' }), 'zh-CN');
  assert.equal(await localeOf('/price?lang=xx', english), 'en-US');
});

test('a language that the address asks for is remembered; others leave no cookie', async () => {
  assert.match(
    String((await get('/?lang=en-US')).headers['set-cookie']),
    /^umi_locale=en-US; Path=\/; Max-Age=\d+; SameSite=Lax$/,
  );
  assert.equal((await get('/')).headers['set-cookie'], undefined);
});

test('S26 a page may only run and style what it contains, and lists what its response varies by', async () => {
  const { headers, statusCode } = await get('/price');
  assert.equal(statusCode, 200);
  const policy = String(headers['content-security-policy']);
  assert.ok(policy.includes("script-src 'sha256-aaa';"));
  assert.ok(policy.includes("style-src 'sha256-bbb';"));
  assert.match(policy, /^default-src 'none'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.equal(policy.includes('unsafe'), false);
  assert.equal(headers.vary, 'Cookie, Accept-Language, Accept-Encoding');
  assert.equal(headers['content-language'], 'zh-CN');
  assert.equal(headers['x-content-type-options'], 'nosniff');
});

test('a page travels as the browser can read it', async () => {
  const br = await get('/', { 'accept-encoding': 'gzip, deflate, br' });
  assert.equal(br.headers['content-encoding'], 'br');
  assert.equal(brotliDecompressSync(br.rawPayload).toString(), `zh-CN landing ${origin}/`);
  const gz = await get('/', { 'accept-encoding': 'gzip, br;q=0' });
  assert.equal(gunzipSync(gz.rawPayload).toString(), `zh-CN landing ${origin}/`);
  assert.equal((await get('/')).headers['content-encoding'], undefined);
});

test('the sign-in over the landing page is drawn by the console, and so is every other screen', async () => {
  for (const url of ['/?login=1', '/?login=1&next=%2Fhome', '/?forgot=email', '/home'])
    assert.match((await get(url)).payload, /console/, url);
  for (const url of ['/', '/meta', '/price/', '/price?login=1'])
    assert.doesNotMatch((await get(url)).payload, /console/, url);
  assert.equal((await get('/nowhere')).statusCode, 404);
});

test('the drawn files are not served as they lie there', async () => {
  for (const url of ['/public/landing.en-US.html', '/public/pages.json'])
    assert.equal((await get(url)).statusCode, 404, url);
});

test('sitemap and robots name every page in each language, once', async () => {
  const sitemap = await get('/sitemap.xml');
  assert.match(String(sitemap.headers['content-type']), /^application\/xml/);
  const places = [...sitemap.payload.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, place]) => place);
  assert.deepEqual(
    places,
    ['/', '/price', '/docs/errors', '/docs/errors/SCOPE_MISSING'].flatMap((at) => [
      `${origin}${at}?lang=zh-CN`,
      `${origin}${at}?lang=en-US`,
    ]),
  );
  const robots = (await get('/robots.txt')).payload;
  assert.ok(robots.includes(`Sitemap: ${origin}/sitemap.xml`));
  assert.ok(robots.includes('Disallow: /api/'));
});

test('every readable page supports HEAD, as link checkers use it', async () => {
  for (const url of ['/', '/price', '/login', '/sitemap.xml', '/robots.txt']) {
    const [head, whole] = [await api.app.inject({ method: 'HEAD', url }), await get(url)];
    assert.deepEqual([head.statusCode, head.payload], [whole.statusCode, ''], url);
  }
});

test('the website leads to the demo that there is', () => {
  const page = 'a{{demo-here}}<button>{{/demo}}{{demo-elsewhere}}<a href="{{demo-url}}/">{{/demo}}b';
  assert.equal(demoFilter({ visitors: false, demoUrl: null })(page), 'ab');
  assert.equal(demoFilter({ visitors: true, demoUrl: null })(page), 'a<button>b');
  assert.equal(demoFilter({ visitors: true, demoUrl: 'https://x' })(page), 'a<button>b');
  const elsewhere = demoFilter({ visitors: false, demoUrl: 'https://demo.example/?a="&b' })(page);
  assert.equal(elsewhere, 'a<a href="https://demo.example/?a=&quot;&amp;b/">b');
});
