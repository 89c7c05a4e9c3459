/** Pages in the style of the public site without a fixed address: shown when a short link has no destination. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { choosePublicLocale, publicLocales } from './public-locale.ts';
import { chooseEncoding, makeCompressor, type PublicManifest, publicPolicy } from './public-pages.ts';

const names = ['link-ended', 'link-unknown', 'link-blocked', 'link-reported'] as const;
export type NoticeName = (typeof names)[number];

export interface Notices {
  send(request: FastifyRequest, reply: FastifyReply, name: NoticeName, status: number): Promise<FastifyReply>;
}

/** null: the console was built without them. */
export function readNotices(consoleDir: string): Notices | null {
  const folder = path.join(consoleDir, 'public');
  const fileOf = (name: string, locale: string): string => path.join(folder, `${name}.${locale}.html`);
  const manifestFile = path.join(folder, 'pages.json');
  const files = names.flatMap((name) => publicLocales.map((locale) => fileOf(name, locale)));
  if (![manifestFile, ...files].every((file) => existsSync(file))) return null;
  const policy = publicPolicy(JSON.parse(readFileSync(manifestFile, 'utf8')) as PublicManifest);
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const compressed = makeCompressor();
  return {
    async send(request, reply, name, status) {
      const { locale } = choosePublicLocale(request);
      const file = fileOf(name, locale);
      const encoding = chooseEncoding(request.headers['accept-encoding']);
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      // With `no-referrer` a browser sends the form of this page with `Origin: null`, which is refused as foreign.
      if (name === 'link-blocked') reply.header('referrer-policy', 'same-origin');
      return reply
        .code(status)
        .header('content-security-policy', policy)
        .header('content-language', locale)
        .header('vary', 'Cookie, Accept-Language, Accept-Encoding')
        .type('text/html; charset=utf-8')
        .send(await compressed(file, texts.get(file) ?? '', encoding));
    },
  };
}
