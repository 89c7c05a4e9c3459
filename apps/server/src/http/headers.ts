/** Headers that every answer bears, errors and files included. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** For answers that are no page: nothing in them may ever run or be framed. */
const closedPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For pages: our own files, and styles that the page's scripts make with this answer's nonce. */
export const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');

export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply, publicUrl: string): void {
  reply.header('x-content-type-options', 'nosniff');
  reply.header('referrer-policy', 'no-referrer');
  reply.header('cross-origin-opener-policy', 'same-origin');
  reply.header('cross-origin-resource-policy', 'same-origin');
  reply.header('x-request-id', request.id);
  if (publicUrl.startsWith('https:')) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
  if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', closedPolicy);
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
}

export function addSecurityHeaders(app: FastifyInstance, publicUrl: string): void {
  app.addHook('onSend', async (request, reply) => setSecurityHeaders(request, reply, publicUrl));
}
