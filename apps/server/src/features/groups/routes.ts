import { JOBS_CHANNEL, notify } from '@pahatid/db/queries/notify';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../../http/deps.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { RoutingCache } from '../../sending/route/routing-table.ts';
import { addGroup } from './add-group.ts';
import { addMembers } from './add-members.ts';
import { combineGroups } from './combine-groups.ts';
import { editGroup } from './edit-group.ts';
import { customerScope } from './find-group.ts';
import { importFile } from './import-file.ts';
import { listGroupsFor } from './list-groups.ts';
import { listGroupMembers } from './list-members.ts';
import { makeFromTask } from './make-from-task.ts';
import { removeGroup } from './remove-group.ts';
import { removeGroupMembers } from './remove-members.ts';
import { addDynamicGroup, countFound } from './selection.ts';
import { showGroup } from './show-group.ts';

export function registerGroups(app: FastifyInstance, deps: ApiDeps): void {
  const routing = new RoutingCache(deps.pools.control);
  /** Notifies the jobs after the commit, so that they find the work. */
  const thenWakeJobs = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    await notify(deps.pools.control, JOBS_CHANNEL, 'import');
    return result;
  };

  serveList(app, 'GET /groups', listGroupsFor);
  serve(app, 'POST /groups', addGroup);
  serve(app, 'POST /groups/combine', (call) => thenWakeJobs(combineGroups(call)));
  serve(app, 'POST /groups/dynamic', addDynamicGroup);
  serve(app, 'POST /groups/count-selection', countFound);
  serve(app, 'POST /groups/from-task', (call) => thenWakeJobs(makeFromTask(call)));
  serve(app, 'GET /groups/:groupId', showGroup);
  serve(app, 'PATCH /groups/:groupId', editGroup);
  serve(app, 'DELETE /groups/:groupId', (call) => thenWakeJobs(removeGroup(call)));
  serve(app, 'POST /groups/:groupId/import', (call) => thenWakeJobs(importFile(call)));

  serveList(app, 'GET /groups/:groupId/members', (call) => listGroupMembers(app.api, call));
  serve(app, 'POST /groups/:groupId/members', async (call) =>
    addMembers(await routing.current(), customerScope(call.scope).customerId, call),
  );
  serve(app, 'PUT /groups/:groupId/members', async (call) =>
    addMembers(await routing.current(), call.application.customerId, call),
  );
  serve(app, 'POST /groups/:groupId/members/remove', removeGroupMembers);
}
