import { insertSession } from '@pahatid/db';
import type { FastifyRequest } from 'fastify';
import type { PoolClient } from 'pg';
import { hashSessionId, makeSessionId, readSessionHash, sessionAbsoluteMs } from './session-cookie.ts';

interface Opening {
  readonly userId: string;
  readonly now: Date;
  readonly ip: string;
  readonly request: FastifyRequest;
  readonly publicUrl: string;
}

/** A new session in place of the one the browser bore; answers the id for its cookie, to be set after the commit. */
export async function newSession(tx: PoolClient, opening: Opening): Promise<string> {
  const { userId, now, ip, request, publicUrl } = opening;
  const id = makeSessionId();
  const expiresAt = new Date(now.getTime() + sessionAbsoluteMs);
  const userAgent = request.headers['user-agent']?.slice(0, 300) ?? null;
  const session = { hash: hashSessionId(id), userId, now, expiresAt, ip, userAgent };
  await insertSession(tx, session, readSessionHash(request, publicUrl));
  return id;
}
