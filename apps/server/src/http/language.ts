import type { FastifyRequest } from 'fastify';
import type { Language } from './csv.ts';

const languageNamed = (locale: string): Language => (/^zh\b/i.test(locale) ? 'zh-CN' : 'en-US');

/** Of the page that calls. */
export const languageOf = (request: FastifyRequest): Language =>
  languageNamed(request.headers['accept-language'] ?? '');

/** For what a person reads later: as they chose, else as the page that caused it. */
export const languageFor = (locale: string | null, page: Language): Language =>
  locale === null ? page : languageNamed(locale);
