/** Headers of every response, including errors and files. */
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** For responses other than pages: nothing in them may ever run or be framed. */
const closedPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For pages: our own files, and styles that the page's scripts create with this response's nonce. */
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

const fixed = {
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/**
 * Responds to input that is not a valid request (RFC 9112): the parser's error stays here, the client gets only the
 * status.
 */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  // The client has disconnected, or a response is partly sent.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const status = unreadable[error.code ?? ''] ?? '400 Bad Request';
  const headers = {
    ...fixed,
    'referrer-policy': 'no-referrer',
    'content-security-policy': closedPolicy,
    'cache-control': 'no-store',
    'content-length': '0',
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`, () => socket.destroy());
}

const unreadable: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply, publicUrl: string): void {
  reply.headers(fixed);
  reply.header('x-request-id', request.id);
  if (!reply.hasHeader('referrer-policy')) reply.header('referrer-policy', 'no-referrer');
  if (publicUrl.startsWith('https:')) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
  if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', closedPolicy);
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
}

export function addSecurityHeaders(app: FastifyInstance, publicUrl: string): void {
  app.addHook('onSend', async (request, reply) => setSecurityHeaders(request, reply, publicUrl));
}
