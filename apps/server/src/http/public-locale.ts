import type { FastifyRequest } from 'fastify';

/** Languages of the public pages; the first is the one for everybody else (specification §1). */
export const publicLocales = ['zh-CN', 'en-US'] as const;
export type PublicLocale = (typeof publicLocales)[number];

/**
 * Returns the public language nearest to a language tag: all of Chinese to zh-CN, English to en-US; null for others.
 */
const nearest = (tag: string): PublicLocale | null =>
  /^zh\b/i.test(tag) ? 'zh-CN' : /^en\b/i.test(tag) ? 'en-US' : null;

/**
 * Which language a visitor reads: the one that the address names, else the one remembered by cookie, else the first of
 * the browser's that we have, else zh-CN. A remembered language that the console has and these pages lack is English.
 */
export function choosePublicLocale(request: FastifyRequest): { locale: PublicLocale; isAsked: boolean } {
  const { lang } = request.query as { lang?: unknown };
  const asked = publicLocales.find((locale) => locale === lang);
  if (asked !== undefined) return { locale: asked, isAsked: true };
  const remembered = request.cookies['umi_locale'];
  if (remembered !== undefined && /^[a-z]{2,3}-[a-z]{2,4}$/i.test(remembered))
    return { locale: nearest(remembered) ?? 'en-US', isAsked: false };
  const preferred = languagesOf(request.headers['accept-language'] ?? '')
    .map(nearest)
    .find((locale) => locale !== null);
  return { locale: preferred ?? 'zh-CN', isAsked: false };
}

/** Tags of Accept-Language by their weight. */
function languagesOf(header: string): string[] {
  return header
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';');
      const weight = parameters.map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1]).find((each) => each !== undefined);
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
