import { type SavedFilter, savedFilterLimit } from '@pahatid/contract';
import { getCustomerId, type Scope, uuidV7 } from '@pahatid/db';
import {
  addSavedFilter,
  changeSavedFilter,
  deleteSavedFilter,
  type FilterOwner,
  findSavedFilter,
  listSavedFilters,
  lockSavedFilters,
  type SavedFilterRow,
  setDefaultFilter,
} from '@pahatid/db/queries/saved-filters';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import type { SignedInUser } from '../../http/call.ts';
import { onConflict } from '../../http/conflicts.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';

const conflicts = { saved_filter_name: 'SAVED_FILTER_NAME_TAKEN' } as const;

export function registerSavedFilters(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, 'GET /saved-filters', async ({ query, user, scope, inScope }) => {
    const rows = await inScope((tx) => listSavedFilters(tx, ownerOf(user, scope), query.list));
    return { items: rows.map(presentFilter), nextCursor: null };
  });

  serve(app, 'POST /saved-filters', async ({ body, user, scope, inScope, audit }) => {
    const owner = ownerOf(user, scope);
    const filterId = uuidV7();
    assertRange(body.filters);
    return onConflict(conflicts, () =>
      inScope(async (tx) => {
        await lockSavedFilters(tx, owner);
        if ((await listSavedFilters(tx, owner, body.list)).length >= savedFilterLimit)
          throw new ProblemError('SAVED_FILTER_LIMIT', { limit: savedFilterLimit });
        await addSavedFilter(tx, owner, { ...body, filterId, createdAt: deps.now() });
        if (body.isDefault === 1) await setDefaultFilter(tx, owner, body.list, filterId);
        await audit(tx, { action: 'add', subjectType: 'savedFilter', subjectId: filterId, after: body });
        return presentFilter(await getFilter(tx, owner, filterId));
      }),
    );
  });

  serve(app, 'PATCH /saved-filters/:filterId', async ({ params: { filterId }, body, user, scope, inScope, audit }) => {
    const owner = ownerOf(user, scope);
    if (body.filters !== undefined) assertRange(body.filters);
    return onConflict(conflicts, () =>
      inScope(async (tx) => {
        await lockSavedFilters(tx, owner);
        const found = await getFilter(tx, owner, filterId);
        const { name = found.name, filters = found.filters, isDefault } = body;
        await changeSavedFilter(tx, owner, { filterId, name, filters });
        if (isDefault === 1) await setDefaultFilter(tx, owner, found.list, filterId);
        if (isDefault === 0 && found.isDefault) await setDefaultFilter(tx, owner, found.list, null);
        const before = presentFilter(found);
        await audit(tx, { action: 'edit', subjectType: 'savedFilter', subjectId: filterId, before, after: body });
        return presentFilter(await getFilter(tx, owner, filterId));
      }),
    );
  });

  serve(app, 'DELETE /saved-filters/:filterId', async ({ params: { filterId }, user, scope, inScope, audit }) => {
    const owner = ownerOf(user, scope);
    await inScope(async (tx) => {
      await lockSavedFilters(tx, owner);
      const before = presentFilter(await getFilter(tx, owner, filterId));
      await deleteSavedFilter(tx, owner, filterId);
      await audit(tx, { action: 'delete', subjectType: 'savedFilter', subjectId: filterId, before });
    });
    return undefined;
  });
}

const ownerOf = (user: SignedInUser, scope: Scope): FilterOwner => ({
  userId: user.userId,
  customerId: getCustomerId(scope),
});

async function getFilter(tx: PoolClient, owner: FilterOwner, filterId: string) {
  const row = await findSavedFilter(tx, owner, filterId);
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
}

/** Days that end now, or two instants; an end has its beginning. */
function assertRange({ days, from, to }: SavedFilter['filters']): void {
  if (days !== undefined && (from !== undefined || to !== undefined)) throw fieldProblem('filters.days', 'INVALID');
  if (from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to))
    throw fieldProblem('filters.to', 'RANGE_BACKWARDS');
}

const presentFilter = ({ filterId, name, filters, isDefault }: SavedFilterRow): SavedFilter => ({
  filterId,
  name,
  filters,
  isDefault: isDefault ? 1 : 0,
});
