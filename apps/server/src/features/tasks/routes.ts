import type { Task } from '@pahatid/contract';
import type { TaskRow } from '@pahatid/db/queries/tasks';
import type { FastifyInstance } from 'fastify';
import type { Call } from '../../http/call.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { makeReviewRules } from '../../review-rules/review-rules.ts';
import { makeAcceptor } from '../../sending/accept/acceptor.ts';
import { exportRejects } from './export-rejects.ts';
import { followTask, followTasks } from './follow-tasks.ts';
import { listDetails } from './list-details.ts';
import { listLog } from './list-log.ts';
import { listTasksFor } from './list-tasks.ts';
import { makeRateTracker } from './rate.ts';
import { readChange, readKey, readNewTask } from './read-input.ts';
import { sendTest } from './send-test.ts';
import { showAbTest } from './show-ab-test.ts';
import { showTask } from './show-task.ts';
import { makeTaskActions } from './task-actions.ts';
import { makeTaskFeed } from './task-feed.ts';

export function registerTasks(app: FastifyInstance, deps: ApiDeps): void {
  registerReading(app, deps);
  registerActions(app, deps);
  registerTest(app, deps);
}

function registerReading(app: FastifyInstance, deps: ApiDeps): void {
  const feed = makeTaskFeed(deps.pools.control, deps.log);
  deps.signal.addEventListener('abort', () => void feed.stop(), { once: true });
  app.addHook('onClose', () => feed.stop());
  const rates = makeRateTracker();
  const rateOf = (row: TaskRow): number =>
    rates.rate(row.taskId, row.successCount + row.failedCount + row.unconfirmedCount);

  serveList(app, 'GET /tasks', listTasksFor);
  const readRules = makeReviewRules(deps.pools.control);
  serve(app, 'GET /tasks/:taskId', async (call) => showTask(call, rateOf, await readRules()));
  serve(app, 'GET /tasks/:taskId/ab-test', showAbTest);
  serveList(app, 'GET /tasks/:taskId/details', (call) => listDetails(app.api, call));
  serveList(app, 'GET /tasks/:taskId/log', listLog);
  serve(app, 'GET /tasks/:taskId/rejects', exportRejects);
  serve(app, 'GET /tasks/events', (call) => followTasks({ feed, rateOf }, call));
  serve(app, 'GET /tasks/:taskId/events', (call) => followTask({ feed, rateOf }, call));
}

function registerActions(app: FastifyInstance, deps: ApiDeps): void {
  const actions = makeTaskActions(deps.pools.control);

  serve(app, 'POST /tasks', async (call) => {
    return presentMade(call, await actions.create(call, readNewTask(inOwnApp(call, call.body)), readKey(call.request)));
  });
  serve(app, 'PATCH /tasks/:taskId', (call) => {
    const { version, ...given } = call.body;
    return actions.edit(call, call.params.taskId, readChange(inOwnApp(call, given)), version);
  });
  serve(app, 'DELETE /tasks/:taskId', async (call) => {
    await actions.remove(call, call.params.taskId);
    return undefined;
  });
  serve(app, 'POST /tasks/:taskId/submit', (call) => actions.submit(call, call.params.taskId));
  serve(app, 'POST /tasks/:taskId/confirm', (call) =>
    actions.confirm(call, call.params.taskId, call.body?.graceSeconds ?? 0),
  );
  serve(app, 'POST /tasks/:taskId/cancel', (call) => actions.cancel(call, call.params.taskId));
  serve(app, 'POST /tasks/:taskId/terminate', (call) => actions.terminate(call, call.params.taskId));
  serve(app, 'POST /tasks/:taskId/pause', (call) => actions.pause(call, call.params.taskId, 1));
  serve(app, 'POST /tasks/:taskId/resume', (call) => actions.pause(call, call.params.taskId, 0));
  serve(app, 'POST /tasks/:taskId/retry', (call) =>
    actions.retry(call, call.params.taskId, call.body?.dealResults ?? null),
  );
  serve(app, 'POST /tasks/:taskId/copy', async (call) =>
    presentMade(call, await actions.copy(call, call.params.taskId, call.body.taskName, readKey(call.request))),
  );
  serve(app, 'POST /tasks/:taskId/ab-test/decide', (call) =>
    actions.decide(call, call.params.taskId, call.body.winner),
  );
  serve(app, 'POST /tasks/:taskId/resend', (call) => actions.resend(call, call.params.taskId));
}

/** Software names its application as its developers know it. */
const inOwnApp = <T extends { appId?: string | null | undefined }>(
  { toStoredAppId }: Pick<Call<'POST /tasks'>, 'toStoredAppId'>,
  body: T,
): T => (body.appId ? { ...body, appId: toStoredAppId(body.appId) } : body);

function presentMade(
  { reply }: Pick<Call<'POST /tasks'>, 'reply'>,
  { task, isNew }: { task: Task; isNew: boolean },
): Task {
  if (!isNew) reply.header('idempotent-replayed', 'true');
  return task;
}

function registerTest(app: FastifyInstance, deps: ApiDeps): void {
  const acceptor = makeAcceptor(deps.pools.control, deps.log);
  app.addHook('onClose', () => acceptor.stop());

  serve(app, 'POST /tasks/:taskId/test', async (call) => {
    const { customerId } = call.user;
    if (customerId === null) throw new ProblemError('FORBIDDEN');
    const actor = { user: call.user, scope: call.scope, inScope: call.inScope, audit: call.audit, customerId };
    return sendTest(deps.pools.control, await acceptor.deps(), actor, call.params.taskId, call.body);
  });
}
