/**
 * Calls of other vendors' clients become calls of our own API, in this process: the same credentials, scopes, limits,
 * idempotency and rules hold, because the same routes serve them.
 */
import { apiPrefix, type Problem } from '@pahatid/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface OwnCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Within the API, with its query. */
  readonly path: string;
  /** Header value; undefined: none was given. */
  readonly authorization: string | undefined;
  readonly body?: object;
  readonly idempotencyKey?: string | undefined;
}

export type OwnAnswer<Body> = { readonly requestId: string; readonly retryAfter: string | undefined } & (
  | { readonly problem: null; readonly body: Body }
  | { readonly problem: Problem }
);

/** `request`: the one of the vendor's client, whose address and host are those of the call. */
export async function callOwn<Body>(
  app: FastifyInstance,
  request: FastifyRequest,
  { method, path, authorization, body, idempotencyKey }: OwnCall,
): Promise<OwnAnswer<Body>> {
  const answer = await app.inject({
    method,
    url: `${apiPrefix}${path}`,
    remoteAddress: request.ip,
    headers: {
      host: request.headers.host ?? '',
      ...(authorization !== undefined && { authorization }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  const { statusCode, headers, payload } = answer;
  const parsed = payload === '' ? null : (JSON.parse(payload) as unknown);
  const retryAfter = headers['retry-after'] === undefined ? undefined : String(headers['retry-after']);
  const requestId = String(headers['x-request-id'] ?? request.id);
  if (statusCode < 300) return { requestId, retryAfter, problem: null, body: parsed as Body };
  return { requestId, retryAfter, problem: parsed as Problem };
}

/** `Authorization` of an application's password, or of a key, which needs no application's id. */
export function authorizationOf(appId: string | null, secret: string): string {
  if (secret.startsWith('pk_')) return `Bearer ${secret}`;
  return `Basic ${Buffer.from(`${appId ?? ''}:${secret}`).toString('base64')}`;
}
