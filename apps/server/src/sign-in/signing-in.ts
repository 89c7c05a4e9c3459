import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PoolClient } from 'pg';
import type { ApiDeps } from '../http/deps.ts';

export type FirstFactor = 'password' | 'emailCode' | 'passkey';

/** The parts of a call that signing in needs. */
export interface SigningIn {
  readonly deps: ApiDeps;
  readonly ip: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly withTransaction: <T>(work: (tx: PoolClient) => Promise<T>) => Promise<T>;
}

export interface Opening {
  readonly how: FirstFactor;
  /** The second factor used, if any. */
  readonly secondFactor?: string;
  /** A fresh hash, if the stored one was created with weaker parameters. */
  readonly passwordHash?: string | null;
  /** What must happen in the same transaction, e.g. the code is used up. */
  readonly alongside?: (tx: PoolClient) => Promise<void>;
}
