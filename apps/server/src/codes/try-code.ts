import { timingSafeEqual } from 'node:crypto';
import { type CodeKey, countAttempt, countAttempts, countCodeTry, useCode } from '@pahatid/db';
import type { FastifyRequest } from 'fastify';
import type { PoolClient } from 'pg';
import { readBrowserCookie } from '../http/browser-cookies.ts';
import type { ApiDeps } from '../http/deps.ts';
import { ProblemError, tooOften } from '../http/problem.ts';
import { conversionWindowMs, maxCodeTries, tryLimits } from './code-rules.ts';
import { hashCode } from './make-code.ts';

export interface RightCode {
  readonly userId: string;
  /** In the transaction of what the code is for; throws CODE_INVALID where another call was first. */
  readonly useUp: (tx: PoolClient) => Promise<void>;
}

const never = 1_000_000_000;

/**
 * Compares a code, within its five tries; throws CODE_INVALID for any that opens nothing, whatever the reason. A right
 * one is not used up yet: that is for the caller's transaction.
 */
export function tryCode(
  deps: ApiDeps,
  { ip, request }: { readonly ip: string; readonly request: FastifyRequest },
  key: CodeKey,
  code: string,
): Promise<RightCode> {
  const visitorHash = readBrowserCookie('visitor', request, deps.config.publicUrl) ?? Buffer.alloc(32);
  return compareCode(deps, ip, key, code, visitorHash);
}

/** The same for one that a signed-in person asked for. */
export const tryOwnCode = (
  deps: ApiDeps,
  ip: string,
  { sessionHash }: { readonly sessionHash: Buffer },
  key: CodeKey,
  code: string,
): Promise<RightCode> => compareCode(deps, ip, key, code, sessionHash);

async function compareCode(
  { pools, secrets, now: clock }: ApiDeps,
  ip: string,
  key: CodeKey,
  code: string,
  visitorHash: Buffer,
): Promise<RightCode> {
  const now = clock();
  const counted = await countAttempts(pools.control, tryLimits(ip, now));
  if ('refused' in counted) throw tooOften(counted.endsAt, now);
  const kept = await countCodeTry(pools.control, key, { visitorHash, maxTries: maxCodeTries, now });
  if (kept === null) throw new ProblemError('CODE_INVALID');
  const isRight = timingSafeEqual(hashCode(secrets, key, visitorHash, code), kept.codeHash);
  if (!isRight || kept.userId === null) throw new ProblemError('CODE_INVALID');
  return {
    userId: kept.userId,
    useUp: async (tx) => {
      if (!(await useCode(tx, key, kept.codeHash, now))) throw new ProblemError('CODE_INVALID');
      const isPhone = !key.destination.includes('@');
      if (isPhone)
        await countAttempt(tx, { what: 'code.sms.used', key: '', limit: never, windowMs: conversionWindowMs, now });
    },
  };
}
