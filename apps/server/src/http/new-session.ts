import { insertSession } from '@pahatid/db';
import type { FastifyRequest } from 'fastify';
import type { PoolClient } from 'pg';
import type { Config } from '../process/config.ts';
import { hashSessionId, makeSessionId, readSessionHash, sessionAbsoluteMs } from './session-cookie.ts';

interface Opening {
  readonly userId: string;
  readonly now: Date;
  readonly ip: string;
  readonly request: FastifyRequest;
  readonly config: Pick<Config, 'publicUrl' | 'demo'>;
}

export interface OpenedSession {
  readonly id: string;
  /** It opens nothing but the enrolment of a second factor. */
  readonly mustEnrol: boolean;
}

/**
 * Creates a session that replaces the browser's current one; returns the id for its cookie, to be set after the commit.
 */
export async function newSession(tx: PoolClient, opening: Opening): Promise<OpenedSession> {
  const { userId, now, ip, request, config } = opening;
  const id = makeSessionId();
  const expiresAt = new Date(now.getTime() + sessionAbsoluteMs);
  const userAgent = request.headers['user-agent']?.slice(0, 300) ?? null;
  const session = { hash: hashSessionId(id), userId, now, expiresAt, ip, userAgent, staffNeedFactor: !config.demo };
  const mustEnrol = await insertSession(tx, session, readSessionHash(request, config.publicUrl));
  return { id, mustEnrol };
}
