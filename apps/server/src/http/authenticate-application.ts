/**
 * Authenticates software: by HTTP Basic with `appId:appSecret`, or by a key as bearer. Both are 256 random bits stored as
 * SHA-256, so a slow hash is unnecessary. What is read for it is cached for a second; a refusal is always based on the
 * current database state, so a new secret, key, address or permission works immediately, and an old one stops within that
 * second.
 */
import { timingSafeEqual } from 'node:crypto';
import { type ApiScope, apiScopes } from '@pahatid/contract';
import { AccessType, UseState } from '@pahatid/contract/enums';
import { type ApiApplication, type ApiSecret, findApiApplication, touchSecret } from '@pahatid/db/queries/api-messages';
import { type CallingKeyRow, findCallingKey, touchKey } from '@pahatid/db/queries/keys';
import { toTestCustomer } from '@pahatid/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAllowed } from '../process/allowed-addresses.ts';
import type { CallingApplication } from './call.ts';
import type { KnownSoftware } from './call-log.ts';
import type { ApiDeps } from './deps.ts';
import { type FindFresh, makeFreshRows, makeTouches } from './fresh-rows.ts';
import { ProblemError } from './problem.ts';
import { readCredentials, type SoftwareCredentials } from './read-credentials.ts';

export interface ApplicationGate {
  /**
   * Throws the catalogue's error if the request has no valid credentials of an application or the application may not
   * call.
   */
  authenticate(request: FastifyRequest, reply: FastifyReply): Promise<CallingApplication>;
  /** Returns the application's data: at most a second old, or current if `mustBeNew`. */
  readonly find: FindFresh<ApiApplication>;
}

export function makeApplicationGate(deps: Pick<ApiDeps, 'pools' | 'now' | 'log'>): ApplicationGate {
  const { control } = deps.pools;
  const find = makeFreshRows((appId) => findApiApplication(control, appId));
  const findKey = makeFreshRows((hash) => findCallingKey(control, Buffer.from(hash, 'hex')));
  const isDue = makeTouches();

  /** A failed write is harmless. */
  const touch = async (appId: string, write: () => Promise<void>): Promise<void> =>
    write().catch((error: unknown) =>
      deps.log.warn({ err: error, appId }, 'last use of application credentials not recorded'),
    );

  const checkPassword = async (
    given: SoftwareCredentials & { kind: 'password' },
    { address, isNew, onKnown }: Asked,
  ): Promise<Checked> => {
    const now = deps.now();
    const row = await find(given.appId, isNew);
    const secret = matchSecret(row, given.hash, now.getTime());
    if (row === null || secret === null) throw new ProblemError('APP_CREDENTIALS_INVALID');
    onKnown?.({ customerId: row.customerId, appId: row.appId, keyId: null, logsBodies: row.logsBodies });
    assertMayCall(row, address);
    const { secretId, lastUsedMs } = secret;
    if (isDue(secretId, now.getTime(), lastUsedMs)) await touch(row.appId, () => touchSecret(control, secretId, now));
    return { row, scopes: apiScopes, key: null, testAppId: null, expiresAt: toDate(secret.expiresMs) };
  };

  const checkKey = async (hash: string, { address, isNew, onKnown }: Asked): Promise<Checked> => {
    const now = deps.now();
    const key = await findKey(hash, isNew);
    if (key === null) throw new ProblemError('APP_CREDENTIALS_INVALID');
    const row = await find(key.appId, isNew);
    if (row !== null)
      onKnown?.({ customerId: row.customerId, appId: row.appId, keyId: key.keyId, logsBodies: row.logsBodies });
    if (key.isEnded || (key.expiresAt !== null && key.expiresAt <= now))
      throw new ProblemError('APP_CREDENTIALS_INVALID');
    if (row === null || (key.mode === 'test') !== (key.testAppId !== null))
      throw new ProblemError('APP_CREDENTIALS_INVALID');
    assertMayCall(row, address);
    if (!isAllowed(key.whiteListIp, address)) throw new ProblemError('ADDRESS_NOT_ALLOWED', { address });
    if (isDue(key.keyId, now.getTime(), key.lastUsedAt?.getTime() ?? null))
      await touch(row.appId, () => touchKey(control, key.keyId, now, address.replace(/%.*$/, '')));
    return { row, scopes: key.scopes, key, testAppId: key.testAppId, expiresAt: key.expiresAt };
  };

  const check = (given: SoftwareCredentials, asked: Asked): Promise<Checked> =>
    given.kind === 'key' ? checkKey(given.hash, asked) : checkPassword(given, asked);

  const checkTwice = async (given: SoftwareCredentials, asked: Omit<Asked, 'isNew'>): Promise<Checked> => {
    try {
      return await check(given, { ...asked, isNew: false });
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return await check(given, { ...asked, isNew: true });
    }
  };

  return {
    find,
    async authenticate(request, reply) {
      try {
        const given = readCredentials(request.headers.authorization);
        const { row, scopes, key, testAppId, expiresAt } = await checkTwice(given, {
          address: request.ip,
          onKnown: (software) => {
            request.software = software;
          },
        });
        const live = { appId: row.appId, customerId: row.customerId };
        const own = testAppId === null ? live : { appId: testAppId, customerId: toTestCustomer(live.customerId) };
        return {
          ...own,
          live,
          isTest: testAppId !== null,
          scopes,
          key,
          expiresAt,
          confirm: async () => void (await checkTwice(given, { address: request.ip })),
        };
      } catch (error) {
        if (error instanceof ProblemError && error.status === 401)
          reply.header('www-authenticate', 'Basic realm="Pahatid", charset="UTF-8", Bearer realm="Pahatid"');
        throw error;
      }
    },
  };
}

interface Asked {
  readonly address: string;
  /** Nothing that is cached counts. */
  readonly isNew: boolean;
  /** Called when the credentials are known, also if the call is then refused. */
  readonly onKnown?: (software: KnownSoftware) => void;
}

interface Checked {
  readonly row: ApiApplication;
  readonly scopes: readonly ApiScope[];
  readonly key: CallingKeyRow | null;
  /** Null: live. */
  readonly testAppId: string | null;
  readonly expiresAt: Date | null;
}

const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/** The addresses of the application hold for each of its keys, too. */
function assertMayCall(row: ApiApplication, address: string): void {
  if (row.customerUseState === UseState.Disabled) throw new ProblemError('CUSTOMER_SUSPENDED');
  if (row.useState === UseState.Disabled) throw new ProblemError('APP_DISABLED', { appId: row.appId });
  if (row.accessType === AccessType.Smpp) throw new ProblemError('APP_NO_HTTP_ACCESS');
  if (!isAllowed(row.whiteListIp, address)) throw new ProblemError('ADDRESS_NOT_ALLOWED', { address });
}

const nobodys = Buffer.alloc(32);

/** Compares with every live secret, or with a dummy if there is none, so that the timing reveals nothing. */
function matchSecret(row: ApiApplication | null, hash: Buffer, nowMs: number): ApiSecret | null {
  let found: ApiSecret | null = null;
  const live = row?.secrets.filter(({ expiresMs }) => expiresMs === null || expiresMs > nowMs) ?? [];
  for (const secret of live) if (timingSafeEqual(Buffer.from(secret.hash, 'hex'), hash)) found = secret;
  if (live.length === 0) timingSafeEqual(nobodys, hash);
  return found;
}
