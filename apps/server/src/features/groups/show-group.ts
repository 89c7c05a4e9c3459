import { getCustomerId } from '@pahatid/db';
import { listSourceGroups } from '@pahatid/db/queries/dynamic-groups';
import { listGroupUsers } from '@pahatid/db/queries/groups';
import { listImports } from '@pahatid/db/queries/imports';
import type { Call } from '../../http/call.ts';
import { presentImport } from '../../imports/present-import.ts';
import { mustFindGroup } from './find-group.ts';
import { presentGroup } from './present-group.ts';

export const showGroup = ({ params, scope, user, inScope }: Call<'GET /groups/:groupId'>) =>
  inScope(async (tx) => {
    const row = await mustFindGroup(tx, getCustomerId(scope), params.groupId);
    const users = await listGroupUsers(tx, row.customerId, row.groupId);
    const sources = await listSourceGroups(tx, row.customerId, row.selection?.groupIds ?? []);
    return {
      ...presentGroup(row, user.customerId === null),
      imports: (await listImports(tx, row.customerId, { groupId: row.groupId })).map(presentImport),
      usedBy: users.map((task) => ({ taskId: task.taskId, taskName: task.taskName })),
      sources: sources.map(({ groupId, groupName, memberCount, variableNames }) => ({
        groupId,
        groupName,
        memberCount,
        variableNames,
      })),
    };
  });
