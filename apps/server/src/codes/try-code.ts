import { timingSafeEqual } from 'node:crypto';
import { type CodeKey, countAttempt, countAttempts, countCodeTry, useCode } from '@pahatid/db';
import type { FastifyRequest } from 'fastify';
import type { PoolClient } from 'pg';
import { readBrowserCookie } from '../http/browser-cookies.ts';
import type { ApiDeps } from '../http/deps.ts';
import { ProblemError, tooOften } from '../http/problem.ts';
import { type CodeOrigin, conversionScopes, conversionWindowMs, maxCodeTries, tryLimits } from './code-rules.ts';
import { findDeviceKey } from './find-device-key.ts';
import { hashCode } from './make-code.ts';

export interface RightCode {
  readonly userId: string;
  readonly visitorHash: Buffer;
  /** In the transaction that uses the code; throws CODE_INVALID if another call was first. */
  readonly useUp: (tx: PoolClient) => Promise<void>;
}

const never = 1_000_000_000;

/**
 * Compares a code, within its five tries; throws CODE_INVALID for any invalid one, whatever the reason. A correct one
 * is not used up yet: that is for the caller's transaction.
 */
export async function tryCode(
  deps: ApiDeps,
  { ip, request }: { readonly ip: string; readonly request: FastifyRequest },
  key: CodeKey,
  code: string,
): Promise<RightCode> {
  const visitorHash = readBrowserCookie('visitor', request, deps.config.publicUrl) ?? Buffer.alloc(32);
  const deviceKey = await findDeviceKey(deps, request, key.destination);
  return compareCode(deps, { ip, visitorHash, deviceKey, askedBy: null }, key, code);
}

/** The same for one that a signed-in person asked for. */
export const tryOwnCode = (
  deps: ApiDeps,
  ip: string,
  { userId, sessionHash }: { readonly userId: string; readonly sessionHash: Buffer },
  key: CodeKey,
  code: string,
): Promise<RightCode> =>
  compareCode(deps, { ip, visitorHash: sessionHash, deviceKey: null, askedBy: userId }, key, code);

async function compareCode(
  { pools, secrets, now: clock }: ApiDeps,
  from: CodeOrigin,
  { purpose, destination }: CodeKey,
  code: string,
): Promise<RightCode> {
  const now = clock();
  const { visitorHash } = from;
  const key = { purpose, destination, visitorHash };
  const counted = await countAttempts(pools.control, tryLimits(from, now));
  if ('refused' in counted) throw tooOften(counted.endsAt, now);
  const kept = await countCodeTry(pools.control, key, { maxTries: maxCodeTries, now });
  if (kept === null) throw new ProblemError('CODE_INVALID');
  const isRight = timingSafeEqual(hashCode(secrets, key, visitorHash, code), kept.codeHash);
  if (!isRight || kept.userId === null) throw new ProblemError('CODE_INVALID');
  return {
    userId: kept.userId,
    visitorHash,
    useUp: async (tx) => {
      if (!(await useCode(tx, key, kept.codeHash, now))) throw new ProblemError('CODE_INVALID');
      if (destination.includes('@') || kept.isKnownDevice) return;
      for (const { key: scope } of conversionScopes(kept.askedFrom))
        await countAttempt(tx, {
          what: 'code.sms.used',
          key: scope,
          limit: never,
          windowMs: conversionWindowMs,
          now,
        });
    },
  };
}
