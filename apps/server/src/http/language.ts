import { type Language, languageNamed } from '@pahatid/domain';
import type { FastifyRequest } from 'fastify';

/** Of the page that calls. */
export const getLanguage = (request: FastifyRequest): Language =>
  languageNamed(request.headers['accept-language'] ?? '');
