/**
 * Authenticates applications by HTTP Basic: `appId:appSecret`. The secret is 256 random bits stored as SHA-256, so a
 * slow hash is unnecessary. Application data is cached for a second; a refusal is always based on the current database
 * state, so a new secret, address or permission works immediately, and an old one stops within that second.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { AccessType, UseState } from '@pahatid/contract/enums';
import { type ApiApplication, findApiApplication, touchSecret } from '@pahatid/db/queries/api-messages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAllowed } from '../process/allowed-addresses.ts';
import type { CallingApplication } from './call.ts';
import type { ApiDeps } from './deps.ts';
import { ProblemError } from './problem.ts';

const freshForMs = 1_000;
/** Applications in memory. */
const knownLimit = 5_000;
/** The time of last use is noted so often. */
const touchEveryMs = 60_000;

export interface ApplicationGate {
  /**
   * Throws the catalogue's error if the request has no valid application credentials or the application may not call.
   */
  authenticate(request: FastifyRequest, reply: FastifyReply): Promise<CallingApplication>;
  /** Returns the application's data: at most a second old, or current if `mustBeNew`. */
  find(appId: string, mustBeNew?: boolean): Promise<ApiApplication | null>;
}

interface Known {
  readonly row: Promise<ApiApplication | null>;
  readonly atMs: number;
}

export function makeApplicationGate(deps: Pick<ApiDeps, 'pools' | 'now' | 'log'>): ApplicationGate {
  const { control } = deps.pools;
  const known = new Map<string, Known>();
  const touched = new Map<string, number>();

  const find = (appId: string, mustBeNew = false): Promise<ApiApplication | null> => {
    const nowMs = performance.now();
    const before = known.get(appId);
    if (!mustBeNew && before !== undefined && nowMs - before.atMs < freshForMs) return before.row;
    const entry: Known = { row: findApiApplication(control, appId), atMs: nowMs };
    known.delete(appId);
    known.set(appId, entry);
    if (known.size > knownLimit) known.delete(known.keys().next().value ?? '');
    // A failure is not remembered: the next call asks again.
    entry.row.catch(() => {
      if (known.get(appId) === entry) known.delete(appId);
    });
    return entry.row;
  };

  /** Records the secret's last use, once a minute; a failed write is harmless. */
  const touch = async (row: ApiApplication, secretId: string): Promise<void> => {
    const now = deps.now();
    const last = touched.get(secretId) ?? row.secrets.find((each) => each.secretId === secretId)?.lastUsedMs ?? 0;
    if (now.getTime() - last < touchEveryMs) return;
    if (touched.size > knownLimit) touched.clear();
    touched.set(secretId, now.getTime());
    await touchSecret(control, secretId, now).catch((error: unknown) =>
      deps.log.warn({ err: error, appId: row.appId }, 'last use of an application secret not recorded'),
    );
  };

  const check = async (given: Credentials, address: string, isNew: boolean): Promise<CallingApplication> => {
    const row = await find(given.appId, isNew);
    const secretId = matchSecret(row, given.hash, deps.now().getTime());
    if (row === null || secretId === null) throw new ProblemError('APP_CREDENTIALS_INVALID');
    if (row.customerUseState === UseState.Disabled) throw new ProblemError('CUSTOMER_SUSPENDED');
    if (row.useState === UseState.Disabled) throw new ProblemError('APP_DISABLED', { appId: row.appId });
    if (row.accessType === AccessType.Smpp) throw new ProblemError('APP_NO_HTTP_ACCESS');
    if (!isAllowed(row.whiteListIp, address)) throw new ProblemError('ADDRESS_NOT_ALLOWED', { address });
    await touch(row, secretId);
    return { appId: row.appId, customerId: row.customerId };
  };

  return {
    find,
    async authenticate(request, reply) {
      try {
        const given = readCredentials(request.headers.authorization);
        try {
          return await check(given, request.ip, false);
        } catch (error) {
          if (!(error instanceof ProblemError)) throw error;
          return await check(given, request.ip, true);
        }
      } catch (error) {
        if (error instanceof ProblemError && error.status === 401)
          reply.header('www-authenticate', 'Basic realm="Pahatid", charset="UTF-8"');
        throw error;
      }
    },
  };
}

interface Credentials {
  readonly appId: string;
  readonly hash: Buffer;
}

/** RFC 7617. The session's cookie counts for nothing here. */
function readCredentials(header: string | undefined): Credentials {
  if (header === undefined) throw new ProblemError('NOT_SIGNED_IN');
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header) ?? [];
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const [, appId, secret] = /^([A-Za-z0-9_-]{3,15}):(.{1,200})$/su.exec(text) ?? [];
  if (appId === undefined || secret === undefined) throw new ProblemError('APP_CREDENTIALS_INVALID');
  return { appId, hash: hash('sha256', secret, 'buffer') };
}

const nobodys = Buffer.alloc(32);

/** Compares with every live secret, or with a dummy if there is none, so that the timing reveals nothing. */
function matchSecret(row: ApiApplication | null, hash: Buffer, nowMs: number): string | null {
  let found: string | null = null;
  const live = row?.secrets.filter(({ expiresMs }) => expiresMs === null || expiresMs > nowMs) ?? [];
  for (const secret of live) if (timingSafeEqual(Buffer.from(secret.hash, 'hex'), hash)) found = secret.secretId;
  if (live.length === 0) timingSafeEqual(nobodys, hash);
  return found;
}
