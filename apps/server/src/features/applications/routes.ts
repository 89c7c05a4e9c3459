import { type Application, type ApplicationDetail, UseState } from '@pahatid/contract';
import {
  type ApplicationChange,
  type ApplicationRow,
  countApplications,
  findApplication,
  getCustomerId,
  listApplications,
  listLiveSecrets,
  type SecretRow,
  updateApplication,
} from '@pahatid/db';
import { findEndpointOfApp } from '@pahatid/db/queries/callback-endpoints';
import { listSmppBinds, listSmppRefusals } from '@pahatid/db/queries/smpp-binds';
import type { FastifyInstance } from 'fastify';
import { assertCallbackUrl } from '../../callbacks/assert-callback-url.ts';
import { makeCallbackGuard } from '../../callbacks/guard.ts';
import { presentEndpoint } from '../../callbacks/present-callback.ts';
import { saveApplicationCallback } from '../../callbacks/save-endpoints.ts';
import { checkAllowedAddresses } from '../../http/check-addresses.ts';
import { onConflict } from '../../http/conflicts.ts';
import { type CursorPart, decodeCursor, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { versionConflict } from '../../http/versions.ts';
import { addApplication } from './add-application.ts';
import { presentBind, registerBinds } from './binds.ts';
import { applicationColumns, presentApplication } from './present-application.ts';
import { endReplacedSecret, rotateAppSecret, rotateSmppPassword } from './rotate-secret.ts';

const keyParts: Record<string, readonly CursorPart[]> = {
  '-createTime': ['time', 'text'],
  createTime: ['time', 'text'],
  appName: ['text', 'text'],
};

const found = <T>(row: T | null): T => {
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
};

/** Another callback address, or another list of the addresses that may call: an empty one lets everybody. */
const opensAccess = (
  before: Pick<Application, 'callbackUrl' | 'whiteListIp'>,
  { callbackUrl, whiteListIp }: Pick<ApplicationChange, 'callbackUrl' | 'whiteListIp'>,
): boolean =>
  (callbackUrl !== undefined && callbackUrl !== null && callbackUrl !== before.callbackUrl) ||
  (whiteListIp !== undefined && whiteListIp.join() !== before.whiteListIp.join());

const ofKind = (secrets: readonly SecretRow[], wanted: SecretRow['kind']): ApplicationDetail['secrets'] =>
  secrets
    .filter(({ kind }) => kind === wanted)
    .map(({ secretId, hint, createTime, lastUsedTime, expireTime }) => ({
      secretId,
      hint,
      createTime: createTime.toISOString(),
      lastUsedTime: lastUsedTime?.toISOString() ?? null,
      expireTime: expireTime?.toISOString() ?? null,
    }));

export function registerApplications(app: FastifyInstance, deps: ApiDeps): void {
  const guard = makeCallbackGuard(deps.config);

  serveList(app, 'GET /applications', async ({ query, scope, inScope }) => {
    const { sort } = query;
    const keyOf = (row: ApplicationRow) => [sort === 'appName' ? row.nameKey : row.createKey, row.appId];
    const readPage = (cursor: string | undefined, limit: number) =>
      inScope(async (tx) => {
        const filter = {
          customerId: getCustomerId(scope),
          search: query.search,
          useState: query.useState === undefined ? undefined : (Number(query.useState) as UseState),
          sort,
          after: decodeCursor(cursor, sort, keyParts[sort] ?? []),
          limit: limit + 1,
        };
        const { rows, nextCursor } = toPage(await listApplications(tx, filter), limit, sort, keyOf);
        return { items: rows.map(presentApplication), nextCursor, total: await countApplications(tx, filter) };
      });
    return { fileName: 'applications', columns: applicationColumns, readPage };
  });

  serve(app, 'POST /applications', (call) => addApplication(call, deps, guard));

  serve(app, 'GET /applications/:appId', ({ params, scope, user, inScope }) =>
    inScope(async (tx) => {
      const row = found(await findApplication(tx, getCustomerId(scope), params.appId));
      const secrets = await listLiveSecrets(tx, row.appId, deps.now());
      const endpoint = await findEndpointOfApp(tx, row.appId);
      return {
        ...presentApplication(row),
        secrets: ofKind(secrets, 'http'),
        smpp: {
          host: new URL(deps.config.publicUrl).hostname,
          port: deps.config.smppPort,
          tlsPort: deps.config.smppTls?.port ?? null,
          systemId: row.account,
          bindTypes: ['transmitter' as const, 'receiver' as const, 'transceiver' as const],
          passwordSet: secrets.some(({ kind }) => kind === 'smpp'),
          passwords: ofKind(secrets, 'smpp'),
        },
        callback: endpoint === null ? null : await presentEndpoint(tx, endpoint, user, deps.now()),
        binds: (
          await listSmppBinds(tx, {
            customerId: row.customerId,
            appId: row.appId,
            isDescending: true,
            after: null,
            limit: 100,
          })
        ).map(presentBind),
        refusedBinds: (await listSmppRefusals(tx, row.appId, 20)).map(({ lastAt, ...refusal }) => ({
          ...refusal,
          lastTime: lastAt.toISOString(),
        })),
      };
    }),
  );

  serve(app, 'PATCH /applications/:appId', async (call) => {
    const { params, body, scope, user, inScope, audit } = call;
    if (typeof body.callbackUrl === 'string') assertCallbackUrl(guard, body.callbackUrl, 'callbackUrl');
    const { whiteListIp, version: seen, ...rest } = body;
    const change = {
      ...rest,
      ...(whiteListIp && { whiteListIp: checkAllowedAddresses(whiteListIp) }),
    } as ApplicationChange;
    return onConflict({ application_name: 'APP_NAME_TAKEN' }, () =>
      inScope(async (tx) => {
        const customerId = getCustomerId(scope) ?? '';
        const before = presentApplication(found(await findApplication(tx, customerId, params.appId)));
        if (opensAccess(before, change)) call.needProof();
        const save = { seen, userId: user.userId };
        const row = await updateApplication(tx, customerId, params.appId, change, save);
        if (row === null) throw await versionConflict(tx, 'application', params.appId);
        const after = presentApplication(row);
        const callbackSecret =
          body.callbackUrl === undefined
            ? null
            : await saveApplicationCallback(tx, { customerId, appId: params.appId, url: body.callbackUrl }, deps);
        await audit(tx, { action: 'edit', subjectType: 'application', subjectId: params.appId, before, after });
        return { ...after, callbackSecret };
      }),
    );
  });

  for (const [action, useState] of [
    ['enable', UseState.Enabled],
    ['disable', UseState.Disabled],
  ] as const)
    serve(app, `POST /applications/:appId/${action}`, ({ params, scope, user, inScope, audit }) =>
      inScope(async (tx) => {
        const save = { seen: undefined, userId: user.userId };
        const after = found(await updateApplication(tx, getCustomerId(scope) ?? '', params.appId, { useState }, save));
        await audit(tx, { action, subjectType: 'application', subjectId: params.appId, after: { useState } });
        return presentApplication(after);
      }),
    );

  registerBinds(app, deps);

  serve(app, 'POST /applications/:appId/secret', (call) => rotateAppSecret(call, app.api));
  serve(app, 'POST /applications/:appId/smpp-password', (call) => rotateSmppPassword(call, app.api));
  serve(app, 'DELETE /applications/:appId/secrets/:secretId', (call) => endReplacedSecret(call, deps.now()));
}
