import { groupLimit, groupVariableLimit } from '@pahatid/contract';
import { customerOf, type Scope, uuidV7 } from '@pahatid/db';
import { listMembers, removeMembers } from '@pahatid/db/queries/group-members';
import {
  countGroups,
  countListedGroups,
  deleteGroup,
  findGroup,
  type GroupRow,
  insertGroup,
  listGroups,
  listGroupUsers,
  lockGroup,
  type NewGroup,
  updateGroup,
} from '@pahatid/db/queries/groups';
import { findBusyGroup, findIntake, insertIntake, listIntakes } from '@pahatid/db/queries/intakes';
import { JOBS_CHANNEL, notify } from '@pahatid/db/queries/notify';
import { findTask } from '@pahatid/db/queries/tasks';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import type { Call } from '../../http/call.ts';
import { csvAnswer, eachRow } from '../../http/csv.ts';
import { decodeCursor, encodeCursor, openCursor, pageOf, sealCursor } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { readPhoneFilter } from '../../http/phone-search.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { assertVersion } from '../../http/versions.ts';
import { findReadFile } from '../../intakes/find-read-file.ts';
import { presentIntake } from '../../intakes/present-intake.ts';
import { readNumbers } from '../../intakes/read-numbers.ts';
import { RoutingCache } from '../../sending/routing-table.ts';
import { groupColumns, memberColumns, presentGroup, presentGroupMember } from './present-group.ts';
import { takeMembers } from './take-members.ts';

/** Rows read at a time for a csv. */
const exportPage = 1_000;

export function registerGroups(app: FastifyInstance, deps: ApiDeps): void {
  const routing = new RoutingCache(deps.pools.control);
  const wakeJobs = () => notify(deps.pools.control, JOBS_CHANNEL, 'intake');

  serve(app, 'GET /groups', async ({ query, scope, user, inScope, wantsCsv }) => {
    const isStaff = user.customerId === null;
    const readPage = async (cursor: string | undefined, limit: number) => {
      const after = decodeCursor(cursor, 'groups', ['time', 'uuid']) as [string, string] | null;
      const filter = { customerId: customerOf(scope), search: query.search };
      const [rows, total] = await inScope(async (tx) => [
        await listGroups(tx, { ...filter, after, limit: limit + 1 }),
        await countListedGroups(tx, filter),
      ]);
      const page = pageOf(rows, limit, 'groups', (row) => [row.created_key, row.group_id]);
      return { items: page.rows.map((row) => presentGroup(row, isStaff)), nextCursor: page.nextCursor, total };
    };
    if (wantsCsv)
      return csvAnswer({ fileName: 'groups', columns: groupColumns, rows: eachRow((cursor) => readPage(cursor, 200)) });
    return readPage(query.cursor, query.limit);
  });

  serve(app, 'POST /groups', async ({ body, scope, user, inScope, audit }) => {
    const group = { ...body, ...customerScope(scope), groupId: uuidV7(), createdBy: user.userId };
    return inScope(async (tx) => {
      await addGroup(tx, group);
      await audit(tx, { action: 'add', subjectType: 'group', subjectId: group.groupId, after: body });
      return presentGroup(await mustFind(tx, group.customerId, group.groupId), false);
    });
  });

  serve(app, 'POST /groups/combine', async ({ body, scope, user, inScope, audit }) => {
    const { customerId } = customerScope(scope);
    const { combination, groupIds, groupName, description } = body;
    const groupId = uuidV7();
    const row = await inScope(async (tx) => {
      const parts: GroupRow[] = [];
      for (const each of groupIds) {
        const part = await findGroup(tx, customerId, each);
        if (part === null) throw new ProblemError('GROUP_NOT_FOUND', { groupId: each });
        parts.push(part);
      }
      const busy = await findBusyGroup(tx, customerId, groupIds);
      if (busy !== null) throw new ProblemError('GROUP_BUSY', { groupName: busy });
      // Of what is left of the first group only its own values are kept; together they have all of them.
      const named = combination === 'merge' ? parts.flatMap((part) => part.variable_names) : parts[0]?.variable_names;
      const variableNames = [...new Set(named)].slice(0, groupVariableLimit);
      const group = { groupName, description, variableNames, source: 'groups' as const, createdBy: user.userId };
      await addGroup(tx, { ...group, groupId, customerId });
      const read = combination === 'merge' ? parts : parts.slice(0, 1);
      await insertIntake(tx, {
        intakeId: uuidV7(),
        customerId,
        groupId,
        kind: combination,
        params: { groupIds },
        totalCount: read.reduce((sum, part) => sum + part.member_count, 0),
        createdBy: user.userId,
      });
      await audit(tx, { action: 'combine', subjectType: 'group', subjectId: groupId, after: body });
      return mustFind(tx, customerId, groupId);
    });
    await wakeJobs();
    return presentGroup(row, false);
  });

  serve(app, 'POST /groups/from-task', async ({ body, scope, user, inScope, audit }) => {
    const { customerId } = customerScope(scope);
    const { taskId, outcomes, groupName, description } = body;
    const groupId = uuidV7();
    const row = await inScope(async (tx) => {
      const task = await findTask(tx, customerId, taskId);
      if (task === null) throw new ProblemError('TASK_NOT_FOUND', { taskId });
      const group = { groupName, description, variableNames: [], source: 'task' as const, createdBy: user.userId };
      await addGroup(tx, { ...group, groupId, customerId });
      await insertIntake(tx, {
        intakeId: uuidV7(),
        customerId,
        groupId,
        kind: 'task',
        taskId,
        params: { outcomes },
        totalCount: task.total_count,
        createdBy: user.userId,
      });
      await audit(tx, { action: 'takeOutcome', subjectType: 'group', subjectId: groupId, after: body });
      return mustFind(tx, customerId, groupId);
    });
    await wakeJobs();
    return presentGroup(row, false);
  });

  serve(app, 'GET /groups/:groupId', async ({ params, scope, user, inScope }) =>
    inScope(async (tx) => {
      const row = await mustFind(tx, customerOf(scope), params.groupId);
      const users = await listGroupUsers(tx, row.customer_id, row.group_id);
      return {
        ...presentGroup(row, user.customerId === null),
        intakes: (await listIntakes(tx, row.customer_id, row.group_id)).map(presentIntake),
        usedBy: users.map((task) => ({ taskId: task.task_id, taskName: task.task_name })),
      };
    }),
  );

  serve(app, 'PATCH /groups/:groupId', async ({ params, body, scope, user, inScope, audit }) => {
    const { customerId } = customerScope(scope);
    return inScope(async (tx) => {
      const before = await lockGroup(tx, customerId, params.groupId);
      if (before === null) throw new ProblemError('NOT_FOUND');
      const after = {
        groupName: body.groupName ?? before.group_name,
        description: body.description ?? before.description,
        variableNames: body.variableNames ?? before.variable_names,
      };
      const seen = body.version;
      await assertVersion(tx, 'message_group', params.groupId, { stored: before.version, seen });
      // Members have a value in each place.
      if (after.variableNames.length < before.variable_names.length) throw fieldProblem('variableNames', 'TOO_FEW');
      if (!(await updateGroup(tx, { ...params, customerId, ...after, seen, userId: user.userId })))
        throw new ProblemError('GROUP_NAME_TAKEN');
      await audit(tx, {
        action: 'edit',
        subjectType: 'group',
        subjectId: params.groupId,
        before: {
          groupName: before.group_name,
          description: before.description,
          variableNames: before.variable_names,
        },
        after,
      });
      return presentGroup(await mustFind(tx, customerId, params.groupId), false);
    });
  });

  serve(app, 'DELETE /groups/:groupId', async ({ params, scope, inScope, audit }) => {
    const { customerId } = customerScope(scope);
    await inScope(async (tx) => {
      const before = await lockGroup(tx, customerId, params.groupId);
      if (before === null) throw new ProblemError('NOT_FOUND');
      const [task] = await listGroupUsers(tx, customerId, params.groupId);
      if (task !== undefined) throw new ProblemError('GROUP_IN_USE', { taskName: task.task_name });
      await deleteGroup(tx, customerId, params.groupId);
      await audit(tx, {
        action: 'delete',
        subjectType: 'group',
        subjectId: params.groupId,
        before: { groupName: before.group_name, memberCount: before.member_count },
      });
    });
    await wakeJobs();
    return undefined;
  });

  serve(app, 'GET /groups/:groupId/members', async (call) => {
    const { params, query, scope, user, inScope, wantsCsv } = call;
    const group = await inScope((tx) => mustFind(tx, customerOf(scope), params.groupId));
    const phones = await readPhoneFilter(app.api, call, query.mobileNumber);
    const readPage = async (cursor: string | undefined, limit: number) => {
      const after = decodeCursor(openCursor(deps.secrets, cursor), 'members', ['text'])?.[0] ?? null;
      const { rows, next } = await inScope((tx) =>
        listMembers(tx, {
          customerId: group.customer_id,
          groupId: group.group_id,
          ...phones,
          rangeHolder: query.rangeHolder,
          state: query.state,
          after,
          limit,
        }),
      );
      const nextCursor = sealCursor(deps.secrets, next === null ? null : encodeCursor('members', [next]));
      return { items: rows.map((row) => presentGroupMember(row, user)), nextCursor };
    };
    if (wantsCsv)
      return csvAnswer({
        fileName: group.group_name,
        columns: memberColumns(group.variable_names),
        rows: eachRow((cursor) => readPage(cursor, exportPage)),
      });
    return readPage(query.cursor, query.limit);
  });

  const add = async (
    customerId: string,
    { params, body, inScope, audit }: Call<'POST /groups/:groupId/members'> | Call<'PUT /groups/:groupId/members'>,
  ) => {
    const table = await routing.current();
    return inScope(async (tx) => {
      const taken = await takeMembers(tx, table, { customerId, ...params }, body);
      await audit(tx, {
        action: 'addMembers',
        subjectType: 'group',
        subjectId: params.groupId,
        after: countsOf(taken),
      });
      return taken;
    });
  };

  serve(app, 'POST /groups/:groupId/members', (call) => add(customerScope(call.scope).customerId, call));

  serve(app, 'PUT /groups/:groupId/members', (call) => add(call.application.customerId, call));

  serve(app, 'POST /groups/:groupId/members/remove', async ({ params, body, scope, inScope, audit }) => {
    const { customerId } = customerScope(scope);
    return inScope(async (tx) => {
      const group = await lockGroup(tx, customerId, params.groupId);
      if (group === null) throw new ProblemError('NOT_FOUND');
      const { valid } = readNumbers(body.mobileNumbers, (each) => each);
      const msisdns = valid.map((each) => each.msisdn);
      const removedCount = await removeMembers(tx, customerId, params.groupId, msisdns);
      await audit(tx, {
        action: 'removeMembers',
        subjectType: 'group',
        subjectId: params.groupId,
        after: { removedCount },
      });
      return { removedCount, memberCount: group.member_count - removedCount };
    });
  });

  serve(app, 'POST /groups/:groupId/import', async ({ params, body, scope, user, inScope, audit }) => {
    const { customerId } = customerScope(scope);
    const intakeId = uuidV7();
    const row = await inScope(async (tx) => {
      const group = await lockGroup(tx, customerId, params.groupId);
      if (group === null) throw new ProblemError('NOT_FOUND');
      const file = await findReadFile(tx, customerId, body.fileId);
      const names = [...group.variable_names];
      const columns = body.variables.map(({ name, column }) => {
        if (column >= file.columns.length || column === file.reading?.phoneColumn)
          throw new ProblemError('MAPPING_INVALID', { variable: name });
        const place = names.findIndex((each) => each.toLowerCase() === name.toLowerCase());
        if (place !== -1) return { place, column };
        names.push(name);
        return { place: names.length - 1, column };
      });
      if (names.length > groupVariableLimit) throw fieldProblem('variables', 'TOO_MANY', { max: groupVariableLimit });
      if (names.length > group.variable_names.length) {
        const { group_name: groupName, description } = group;
        const own = { groupName, description, variableNames: names, seen: undefined, userId: user.userId };
        await updateGroup(tx, { ...params, customerId, ...own });
      }
      await insertIntake(tx, {
        intakeId,
        customerId,
        groupId: params.groupId,
        kind: 'file',
        fileId: body.fileId,
        params: { columns, generation: file.generation },
        overwrite: body.onDuplicate === 'overwrite',
        totalCount: file.valid_count,
        createdBy: user.userId,
      });
      await audit(tx, {
        action: 'import',
        subjectType: 'group',
        subjectId: params.groupId,
        after: { fileName: file.file_name, validCount: file.valid_count, onDuplicate: body.onDuplicate },
      });
      return findIntake(tx, customerId, intakeId);
    });
    if (row === null) throw new Error(`intake ${intakeId} is gone`);
    await wakeJobs();
    return presentIntake(row);
  });
}

const countsOf = ({ addedCount, updatedCount, keptCount, rejected }: Awaited<ReturnType<typeof takeMembers>>) => ({
  addedCount,
  updatedCount,
  keptCount,
  rejectedCount: rejected.length,
});

async function addGroup(tx: PoolClient, group: NewGroup): Promise<void> {
  if ((await countGroups(tx, group.customerId)) >= groupLimit)
    throw new ProblemError('GROUP_LIMIT', { limit: groupLimit });
  if (!(await insertGroup(tx, group))) throw new ProblemError('GROUP_NAME_TAKEN');
}

async function mustFind(tx: PoolClient, customerId: string | null, groupId: string): Promise<GroupRow> {
  const row = await findGroup(tx, customerId, groupId);
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
}

/** Routes for a customer's writers are never reached by staff. */
function customerScope(scope: Scope): { customerId: string } {
  if ('customerId' in scope) return scope;
  throw new ProblemError('FORBIDDEN');
}
