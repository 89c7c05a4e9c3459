import { Role, type SavedFilter, type SavedList, savedFilterLimit, savedListFilters } from '@pahatid/contract';
import { getCustomerId, type Scope, uuidV7 } from '@pahatid/db';
import {
  addSavedFilter,
  changeSavedFilter,
  countSavedFilters,
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
    return { items: rows.map((row) => presentFilter(row, user)), nextCursor: null };
  });

  serve(app, 'POST /saved-filters', async ({ body, user, scope, inScope, audit }) => {
    const owner = ownerOf(user, scope);
    const filterId = uuidV7();
    assertFilters(body.list, body.filters);
    if (body.isShared === 1) assertMayShare(user);
    return onConflict(conflicts, () =>
      inScope(async (tx) => {
        await lockSavedFilters(tx, owner.userId);
        if ((await countSavedFilters(tx, owner.userId, body.list)) >= savedFilterLimit)
          throw new ProblemError('SAVED_FILTER_LIMIT', { limit: savedFilterLimit });
        const marks = { isShared: body.isShared === 1, isPinned: body.isPinned === 1 };
        await addSavedFilter(tx, owner, { ...body, ...marks, filterId, createdAt: deps.now() });
        if (body.isDefault === 1) await setDefaultFilter(tx, owner.userId, body.list, filterId);
        await audit(tx, { action: 'add', subjectType: 'savedFilter', subjectId: filterId, after: body });
        return presentFilter(await getFilter(tx, owner, filterId), user);
      }),
    );
  });

  serve(app, 'PATCH /saved-filters/:filterId', async ({ params: { filterId }, body, user, scope, inScope, audit }) => {
    const owner = ownerOf(user, scope);
    return onConflict(conflicts, () =>
      inScope(async (tx) => {
        const found = await lockFilter(tx, owner, filterId);
        assertMayChange(found, user);
        if (body.filters !== undefined) assertFilters(found.list as SavedList, body.filters);
        if (body.isShared === 1 && !found.isShared) assertMayShare(user);
        await changeSavedFilter(tx, {
          filterId,
          name: body.name ?? found.name,
          filters: body.filters ?? found.filters,
          sort: body.sort === undefined ? found.sort : body.sort,
          columns: body.columns === undefined ? found.columns : body.columns,
          isShared: toMark(body.isShared, found.isShared),
          isPinned: toMark(body.isPinned, found.isPinned),
        });
        await changeDefault(tx, found, body.isDefault, user);
        const [before, after] = [presentFilter(found, user), body];
        await audit(tx, { action: 'edit', subjectType: 'savedFilter', subjectId: filterId, before, after });
        return presentFilter(await getFilter(tx, owner, filterId), user);
      }),
    );
  });

  serve(app, 'DELETE /saved-filters/:filterId', async ({ params: { filterId }, user, scope, inScope, audit }) => {
    const owner = ownerOf(user, scope);
    await inScope(async (tx) => {
      const found = await lockFilter(tx, owner, filterId);
      assertMayChange(found, user);
      await deleteSavedFilter(tx, filterId);
      const before = presentFilter(found, user);
      await audit(tx, { action: 'delete', subjectType: 'savedFilter', subjectId: filterId, before });
    });
    return undefined;
  });
}

const ownerOf = (user: SignedInUser, scope: Scope): FilterOwner => ({
  userId: user.userId,
  customerId: getCustomerId(scope),
});

async function getFilter(tx: PoolClient, owner: FilterOwner, filterId: string): Promise<SavedFilterRow> {
  const row = await findSavedFilter(tx, owner, filterId);
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
}

/** Returns a view under the lock of its maker. */
async function lockFilter(tx: PoolClient, owner: FilterOwner, filterId: string): Promise<SavedFilterRow> {
  const { userId } = await getFilter(tx, owner, filterId);
  await lockSavedFilters(tx, userId);
  return getFilter(tx, owner, filterId);
}

const toMark = (asked: 0 | 1 | undefined, before: boolean): boolean => (asked === undefined ? before : asked === 1);

/** A list opens with a view for its maker only. */
async function changeDefault(
  tx: PoolClient,
  found: SavedFilterRow,
  isDefault: 0 | 1 | undefined,
  user: SignedInUser,
): Promise<void> {
  if (isDefault === undefined || found.userId !== user.userId) return;
  if (isDefault === 1) await setDefaultFilter(tx, user.userId, found.list, found.filterId);
  else if (found.isDefault) await setDefaultFilter(tx, user.userId, found.list, null);
}

const mayChange = (row: SavedFilterRow, user: SignedInUser): boolean =>
  row.userId === user.userId || user.role === Role.Owner || user.role === Role.Admin;

function assertMayChange(row: SavedFilterRow, user: SignedInUser): void {
  if (!mayChange(row, user)) throw new ProblemError('FORBIDDEN');
}

/** Viewers keep views for themselves. */
function assertMayShare(user: SignedInUser): void {
  if (user.role === Role.Viewer) throw new ProblemError('FORBIDDEN');
}

/** Filters that the list has; days that end now, or two instants; an end has its beginning. */
function assertFilters(list: SavedList, filters: SavedFilter['filters']): void {
  const names: readonly string[] = savedListFilters[list];
  for (const name of Object.keys(filters))
    if (!names.includes(name === 'days' ? 'from' : name)) throw fieldProblem(`filters.${name}`, 'INVALID');
  const { days, from, to } = filters;
  if (days !== undefined && (from !== undefined || to !== undefined)) throw fieldProblem('filters.days', 'INVALID');
  if (from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to))
    throw fieldProblem('filters.to', 'RANGE_BACKWARDS');
}

const presentFilter = (row: SavedFilterRow, user: SignedInUser): SavedFilter => {
  const isMine = row.userId === user.userId;
  const { filterId, name, filters, sort, columns } = row;
  return {
    filterId,
    name,
    filters,
    sort,
    columns,
    isDefault: isMine && row.isDefault ? 1 : 0,
    isShared: row.isShared ? 1 : 0,
    isPinned: row.isPinned ? 1 : 0,
    mayChange: mayChange(row, user) ? 1 : 0,
    madeBy: isMine ? null : row.makerName,
  };
};
