/**
 * The public pages as rendered by the console's build: one HTML file per page and language. Values that only the
 * running server knows are filled in here: the address of the site, its demo, and the prices in force. The pages contain no React
 * and load nothing else, so their policy lists only the hashes of their content.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { choosePublicLocale, type PublicLocale, publicLocales } from './public-locale.ts';

/** Price of a segment, 1/10,000 PHP, by carrier (null: not known) and smsType. */
export type ListPrices = (carrier: string | null, smsType: number) => number;

export interface PublicSite extends PublicDemo {
  readonly publicUrl: string;
  readonly listPrices: () => Promise<ListPrices>;
}

interface PublicDemo {
  /** This installation is a demo for visitors. */
  readonly visitors: boolean;
  /** Another one is. */
  readonly demoUrl: string | null;
}

/** The build's description of its pages. */
export interface PublicManifest {
  /** Address to file name, without language and ending. */
  pages: Record<string, string>;
  script: string[];
  style: string[];
}

export interface PublicPages {
  /** Addresses that have a page. */
  readonly paths: ReadonlySet<string>;
  send(request: FastifyRequest, reply: FastifyReply, address: string): Promise<FastifyReply>;
  sitemap(): string;
  robots(): string;
}

type Encoding = 'br' | 'gzip' | 'identity';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
/** Pages are few, and each is compressed once for every state of its prices. */
const brotliQuality = 9;
const pesoUnits = 10_000;
const cookieSeconds = 365 * 86_400;

/** null: the console was built without public pages. */
export function readPublicPages(
  consoleDir: string,
  { publicUrl, listPrices, ...demo }: PublicSite,
): PublicPages | null {
  const folder = path.join(consoleDir, 'public');
  const manifestFile = path.join(folder, 'pages.json');
  if (!existsSync(manifestFile)) return null;
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as PublicManifest;
  const read = (name: string, locale: PublicLocale): string =>
    readFileSync(path.join(folder, `${name}.${locale}.html`), 'utf8').replaceAll('{{origin}}', publicUrl);
  const showDemo = demoFilter(demo);
  const texts = new Map<string, string>();
  const textOf = (address: string, locale: PublicLocale): string => {
    const name = manifest.pages[address];
    if (name === undefined) return '';
    const key = `${name} ${locale}`;
    const text = texts.get(key) ?? showDemo(read(name, locale));
    texts.set(key, text);
    return text;
  };
  const policy = publicPolicy(manifest);
  const compressed = makeCompressor();

  return {
    paths: new Set(Object.keys(manifest.pages)),
    async send(request, reply, address) {
      const { locale, isAsked } = choosePublicLocale(request);
      const drawn = textOf(address, locale);
      const html = drawn.includes('{{price-') ? fillPrices(drawn, await listPrices()) : drawn;
      const encoding = chooseEncoding(request.headers['accept-encoding']);
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      if (isAsked) reply.header('set-cookie', `umi_locale=${locale}; Path=/; Max-Age=${cookieSeconds}; SameSite=Lax`);
      return reply
        .header('content-security-policy', policy)
        .header('content-language', locale)
        .header('cache-control', 'no-cache')
        .header('vary', 'Cookie, Accept-Language, Accept-Encoding')
        .type('text/html; charset=utf-8')
        .send(await compressed(`${address} ${locale}`, html, encoding));
    },
    sitemap: () => sitemapOf(publicUrl, Object.keys(manifest.pages)),
    robots: () => `User-agent: *\nAllow: /\nDisallow: /api/\nSitemap: ${publicUrl}/sitemap.xml\n`,
  };
}

/** Keeps what leads to the demo that there is, and removes the rest. */
export function demoFilter({ visitors, demoUrl }: PublicDemo): (html: string) => string {
  const isKept = { here: visitors, elsewhere: !visitors && demoUrl !== null };
  return (html) =>
    html
      .replaceAll(
        /\{\{demo-(here|elsewhere)\}\}([\s\S]*?)\{\{\/demo\}\}/g,
        (_, where: keyof typeof isKept, part: string) => (isKept[where] ? part : ''),
      )
      .replaceAll('{{demo-url}}', escapeAttribute(demoUrl ?? ''));
}

const escapeAttribute = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

export const publicPolicy = ({ script, style }: PublicManifest): string =>
  [
    "default-src 'none'",
    `script-src ${script.join(' ')}`,
    `style-src ${style.join(' ')}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');

function fillPrices(html: string, priceOf: ListPrices): string {
  return html.replaceAll(/\{\{price-(text|units):([A-Za-z]*):([123])\}\}/g, (_, as: string, carrier: string, type) => {
    const units = priceOf(carrier === '' ? null : carrier, Number(type));
    return as === 'units' ? String(units) : moneyOf(units);
  });
}

const moneyOf = (units: number): string =>
  `₱${(units / pesoUnits).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;

/** Keeps the last form of each page and encoding; prices seldom change. */
export function makeCompressor(): (key: string, html: string, encoding: Encoding) => Promise<Buffer | string> {
  const kept = new Map<string, { html: string; body: Promise<Buffer> }>();
  return async (key, html, encoding) => {
    if (encoding === 'identity') return html;
    const before = kept.get(`${key} ${encoding}`);
    if (before?.html === html) return before.body;
    const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality };
    const body = encoding === 'br' ? brotli(html, { params }) : gzipped(html);
    kept.set(`${key} ${encoding}`, { html, body });
    return body;
  };
}

/** Returns the encoding from the browser's accepted ones; `q=0` excludes one. */
export function chooseEncoding(header: string | string[] | undefined): Encoding {
  const names = String(header ?? '')
    .split(',')
    .filter((part) => !/;\s*q=0(?:\.0+)?\s*$/.test(part))
    .map((part) => part.split(';', 1)[0]?.trim().toLowerCase());
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : 'identity';
}

function sitemapOf(publicUrl: string, addresses: readonly string[]): string {
  // The landing page's second address is not listed separately.
  const urls = addresses
    .filter((address) => address !== '/meta')
    .flatMap((address) => publicLocales.map((locale) => ({ address, locale })))
    .map(({ address, locale }) => {
      const alternates = publicLocales
        .map((other) => `<xhtml:link rel="alternate" hreflang="${other}" href="${publicUrl}${address}?lang=${other}"/>`)
        .join('');
      return `<url><loc>${publicUrl}${address}?lang=${locale}</loc>${alternates}</url>`;
    });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${urls.join('')}</urlset>\n`;
}
