import { type RoutingWarning, type SupplierProfile, UseState } from '@pahatid/contract';
import { loadRouting, uuidV7 } from '@pahatid/db';
import { notify, ROUTING_CHANNEL } from '@pahatid/db/queries/notify';
import {
  countSuppliers,
  findSealedPassword,
  findSupplierView,
  insertSupplier,
  listSupplierBinds,
  listSupplierViews,
  type SupplierFields,
  type SupplierView,
  switchSupplier,
  updateSupplier,
} from '@pahatid/db/queries/supplier-admin';
import { readSupplierShares } from '@pahatid/db/queries/supplier-shares';
import type { FastifyInstance } from 'fastify';
import { onConflict } from '../../http/conflicts.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { warnOfGaps } from '../../sending/route/routing-warnings.ts';
import { testBind } from '../../sending/submit/test-bind.ts';
import { presentSettings, presentSupplier, supplierColumns } from './present-supplier.ts';

const SORT = 'suppliers';
const TAKEN = { supplier_supplier_account_key: 'SUPPLIER_ACCOUNT_TAKEN' } as const;

const found = <T>(row: T | null): T => {
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
};

interface Address {
  host: string;
  port: number;
  systemId: string;
  profile: SupplierProfile;
}

/** A stored password is sent only to its stored address: otherwise a trial could send it to any address. */
const storedPassword = (stored: (Address & { sealed: string }) | null, to: Address, deps: ApiDeps): string => {
  const isSame =
    stored !== null &&
    stored.host === to.host &&
    stored.port === to.port &&
    stored.systemId === to.systemId &&
    (stored.profile.tls === true) === (to.profile.tls === true);
  if (!isSame) throw fieldProblem('password', 'REQUIRED');
  return deps.secrets.open('carrier-password', stored.sealed);
};

/** To another address the password is typed again, for the same reason. */
const movesAway = (before: Address, change: { [K in keyof Address]?: Address[K] | undefined }): boolean =>
  (change.host ?? before.host) !== before.host ||
  (change.port ?? before.port) !== before.port ||
  ((change.profile ?? before.profile).tls === true) !== (before.profile.tls === true);

export function registerSuppliers(app: FastifyInstance, deps: ApiDeps): void {
  /** Senders and accepting processes apply it immediately; one that misses the notification polls within seconds. */
  const notifyListeners = async (): Promise<void> => {
    await notify(deps.pools.control, ROUTING_CHANNEL, '').catch((err: unknown) =>
      deps.log.warn({ err }, 'notification of changed suppliers failed, senders reload later'),
    );
  };
  const seal = (password: string): string => deps.secrets.seal('carrier-password', password);

  serveList(app, 'GET /suppliers', async ({ query, inScope }) => {
    const { name, isReversed } = readOrder(SORT, query.sort, 'supplierAccount');
    const readPage = (cursor: string | undefined, limit: number) =>
      inScope(async (tx) => {
        const filter = {
          search: query.search,
          useState: query.useState === undefined ? undefined : (Number(query.useState) as UseState),
          after: decodeCursor(cursor, name, ['text', 'uuid']),
          isReversed,
          limit: limit + 1,
        };
        const keyOf = (row: SupplierView) => [row.nameKey, row.supplierId];
        const { rows, nextCursor } = toPage(await listSupplierViews(tx, filter), limit, name, keyOf);
        return { items: rows.map(presentSupplier), nextCursor, total: await countSuppliers(tx, filter) };
      });
    return { fileName: 'suppliers', columns: supplierColumns, readPage };
  });

  serve(app, 'POST /suppliers', async ({ body, inScope, audit }) => {
    const { password, ...rest } = body;
    const supplierId = uuidV7();
    const added = await onConflict(TAKEN, () =>
      inScope(async (tx) => {
        await insertSupplier(tx, supplierId, { ...rest, passwordSealed: seal(password) });
        const row = found(await findSupplierView(tx, supplierId));
        await audit(tx, { action: 'add', subjectType: 'supplier', subjectId: supplierId, after: presentSettings(row) });
        return row;
      }),
    );
    await notifyListeners();
    return presentSupplier(added);
  });

  serve(app, 'POST /suppliers/test-bind', async ({ body, inScope, audit, signal }) => {
    const stored = await inScope(async (tx) => {
      const row = body.supplierId === undefined ? null : found(await findSealedPassword(tx, body.supplierId));
      const { host, port, systemId } = body;
      // Before the attempt, so that one whose end is not awaited is logged too.
      await audit(tx, {
        action: 'testBind',
        subjectType: 'supplier',
        subjectId: body.supplierId ?? `${host}:${port}`,
        after: { host, port, systemId, bindType: body.bindType, tls: body.profile.tls === true },
      });
      return row;
    });
    return testBind({
      host: body.host,
      port: body.port,
      tls: body.profile.tls === true,
      mode: body.bindType === 'transceiver' ? 'transceiver' : 'transmitter',
      systemId: body.systemId,
      password: body.password ?? storedPassword(stored, body, deps),
      systemType: body.profile.systemType ?? '',
      timeoutMs: body.timeoutMs,
      signal,
    });
  });

  serve(app, 'GET /suppliers/:supplierId', ({ params, inScope }) =>
    inScope(async (tx) => {
      const row = found(await findSupplierView(tx, params.supplierId));
      const binds = await listSupplierBinds(tx, params.supplierId);
      const [view] = await readSupplierShares(tx, [params.supplierId]);
      return {
        ...presentSupplier(row),
        binds: binds.map((bind) => ({
          ...bind,
          since: bind.since.toISOString(),
          seenTime: bind.seenTime.toISOString(),
          retryTime: bind.retryTime?.toISOString() ?? null,
        })),
        shares: (view?.shares ?? []).map(({ owner, share, wanted }) => ({ owner, share, wanted })),
      };
    }),
  );

  serve(app, 'PATCH /suppliers/:supplierId', async ({ params, body, inScope, audit, needProof }) => {
    const { version, password, ...rest } = body;
    if (password !== undefined) needProof();
    const change = { ...rest, ...(password !== undefined && { passwordSealed: seal(password) }) };
    const edited = await onConflict(TAKEN, () =>
      inScope(async (tx) => {
        const before = found(await findSupplierView(tx, params.supplierId));
        if (password === undefined && movesAway(before, rest)) throw fieldProblem('password', 'REQUIRED');
        const isEdited = await updateSupplier(tx, params.supplierId, version, change as Partial<SupplierFields>);
        if (!isEdited) throw new ProblemError('CONFLICT');
        const after = found(await findSupplierView(tx, params.supplierId));
        await audit(tx, {
          action: 'edit',
          subjectType: 'supplier',
          subjectId: params.supplierId,
          before: presentSettings(before),
          after: { ...presentSettings(after), ...(password !== undefined && { passwordChanged: true }) },
        });
        return after;
      }),
    );
    await notifyListeners();
    return presentSupplier(edited);
  });

  for (const [action, useState] of [
    ['enable', UseState.Enabled],
    ['disable', UseState.Disabled],
  ] as const)
    serve(app, `POST /suppliers/:supplierId/${action}`, async ({ params, inScope, audit }) => {
      const switched = await inScope(async (tx) => {
        const { supplierId } = params;
        found(await findSupplierView(tx, supplierId));
        const before = await loadRouting(tx);
        if (!(await switchSupplier(tx, supplierId, useState))) throw new ProblemError('CONFLICT');
        const row = found(await findSupplierView(tx, supplierId));
        await audit(tx, { action, subjectType: 'supplier', subjectId: supplierId, after: { useState } });
        const warnings: RoutingWarning[] = warnOfGaps(before, await loadRouting(tx));
        const waits = useState === UseState.Disabled && row.waitingCount > 0;
        if (waits) warnings.push({ code: 'MESSAGES_WAIT', messages: row.waitingCount });
        return { ...presentSupplier(row), warnings };
      });
      await notifyListeners();
      return switched;
    });
}
