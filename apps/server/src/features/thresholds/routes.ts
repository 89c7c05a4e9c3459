/** A customer's rules: written by its owners, read by everybody of it and by staff. A change holds from the next message on. */
import type { Threshold } from '@pahatid/contract';
import { customerOf, type Scope } from '@pahatid/db';
import { hasApplication } from '@pahatid/db/queries/applications';
import { JOBS_CHANNEL, notify } from '@pahatid/db/queries/notify';
import { lockCustomerFunds } from '@pahatid/db/queries/reservations';
import { insertTaskEvent } from '@pahatid/db/queries/tasks';
import { resumeApplicationOf, resumeTasksOf, reviewHeldTasks } from '@pahatid/db/queries/threshold-holding';
import {
  countRules,
  countsOther,
  deleteRule,
  findRule,
  forgetRefusals,
  forgetVolumes,
  insertRule,
  insertRuleEvent,
  listRuleEvents,
  listRules,
  lockRule,
  type RuleInput,
  type RuleRow,
  updateRule,
} from '@pahatid/db/queries/threshold-rules';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { guardOf } from '../../callbacks/guard.ts';
import { saveAlertCallbacks } from '../../callbacks/save-endpoints.ts';
import type { SignedInUser } from '../../http/call.ts';
import { csvAnswer, eachRow } from '../../http/csv.ts';
import { decodeCursor, pageOf } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { assertVersion } from '../../http/versions.ts';
import { TASK_CHANNEL } from '../../sending/notifier.ts';
import { thresholdColumns } from './csv-columns.ts';
import { forecastRule } from './forecast.ts';
import { namesOf, presentEvent, presentRules } from './present-rule.ts';
import { changeRule, readRule } from './read-rule.ts';

const SORT = 'thresholds';
const EVENTS = 'thresholdEvents';
/** Each costs every accepted message a look. */
const rulesAtMost = 50;

export function registerThresholds(app: FastifyInstance, deps: ApiDeps): void {
  const { control } = deps.pools;
  const guard = guardOf(deps.config);

  /** The counts are the sending's own, which no tenant may write; nobody counts by the old rule meanwhile. */
  const beginAnew = async (tx: PoolClient, before: RuleRow, rule: RuleInput): Promise<void> => {
    const { customerId, thresholdId } = before;
    const isOther = countsOther(before, rule);
    if (!isOther && (rule.kind !== 'volume' || rule.limitAt === before.limitAt)) return;
    await lockCustomerFunds(tx, customerId);
    await forgetRefusals(control, customerId, thresholdId);
    if (isOther) await forgetVolumes(control, customerId, thresholdId);
  };

  const presentOne = async (tx: PoolClient, row: RuleRow, user: SignedInUser): Promise<Threshold> =>
    (await presentRules(tx, [row], user, deps.now()))[0]!;

  serve(app, 'GET /thresholds', async ({ query, scope, user, wantsCsv, inScope }) => {
    const customerId = customerOf(scope);
    const filter = {
      kind: query.kind,
      appId: query.appId,
      useState: query.useState === undefined ? undefined : (Number(query.useState) as 0 | 1),
    };
    const readPage = (cursor: string | undefined, limit: number) =>
      inScope(async (tx) => {
        const before = decodeCursor(cursor, SORT, ['uuid'])?.[0] ?? null;
        const found = await listRules(tx, customerId, { ...filter, before, limit: limit + 1 });
        const { rows, nextCursor } = pageOf(found, limit, SORT, (row) => [row.thresholdId]);
        const items = await presentRules(tx, rows, user, deps.now());
        return { items, nextCursor, total: await countRules(tx, customerId, filter) };
      });
    if (!wantsCsv) return readPage(query.cursor, query.limit);
    return csvAnswer({
      fileName: 'thresholds',
      columns: thresholdColumns,
      rows: eachRow((cursor) => readPage(cursor, 200)),
    });
  });

  serve(app, 'POST /thresholds', async (call) => {
    const { body, scope, user, inScope, audit } = call;
    const customerId = mustBeCustomer(scope);
    const rule = readRule(body, guard);
    if (rule.webhooks.length > 0) call.needProof();
    return inScope(async (tx) => {
      await assertApplication(tx, customerId, rule);
      // One after the other, so that two at once can't both be the last that there is room for.
      await lockCustomerFunds(tx, customerId);
      if ((await countRules(tx, customerId, {})) >= rulesAtMost) throw new ProblemError('THRESHOLD_LIMIT');
      const thresholdId = await insertRule(tx, customerId, rule, { userId: user.userId });
      await saveAlertCallbacks(tx, customerId, rule.webhooks, deps);
      await audit(tx, { action: 'add', subjectType: 'threshold', subjectId: thresholdId, after: rule });
      return presentOne(tx, await mustFind(tx, customerId, thresholdId), user);
    });
  });

  serve(app, 'POST /thresholds/forecast', ({ body, scope, inScope }) => {
    const customerId = mustBeCustomer(scope);
    const rule = readRule(body, guard);
    return inScope(async (tx) => {
      await assertApplication(tx, customerId, rule);
      return forecastRule(tx, customerId, rule, deps.now());
    });
  });

  serve(app, 'GET /thresholds/:thresholdId', ({ params, scope, user, inScope }) =>
    inScope(async (tx) => presentOne(tx, await mustFind(tx, customerOf(scope), params.thresholdId), user)),
  );

  serve(app, 'PATCH /thresholds/:thresholdId', async (call) => {
    const { params, body, scope, user, inScope, audit } = call;
    const customerId = mustBeCustomer(scope);
    const { thresholdId } = params;
    const changed = await inScope(async (tx) => {
      const before = await mustHold(tx, customerId, thresholdId);
      const { version: seen, ...change } = body;
      await assertVersion(tx, 'threshold', thresholdId, { stored: before.version, seen });
      const rule = changeRule(before, change, guard);
      if (rule.webhooks.some((url) => !before.webhooks.includes(url))) call.needProof();
      await assertApplication(tx, customerId, rule);
      await beginAnew(tx, before, rule);
      await updateRule(tx, { customerId, thresholdId, seen, userId: user.userId }, rule);
      await saveAlertCallbacks(tx, customerId, rule.webhooks, deps);
      if (rule.kind === 'volume') await reviewHeldTasks(tx, customerId);
      await audit(tx, {
        action: 'edit',
        subjectType: 'threshold',
        subjectId: thresholdId,
        before: auditedOf(before),
        after: change,
      });
      return presentOne(tx, await mustFind(tx, customerId, thresholdId), user);
    });
    await notify(control, JOBS_CHANNEL, 'task');
    return changed;
  });

  serve(app, 'DELETE /thresholds/:thresholdId', async ({ params, scope, inScope, audit }) => {
    const customerId = mustBeCustomer(scope);
    const { thresholdId } = params;
    const taskIds = await inScope(async (tx) => {
      const before = await mustHold(tx, customerId, thresholdId);
      const resumed = await letGo(tx, before, null);
      await deleteRule(tx, customerId, thresholdId);
      await saveAlertCallbacks(tx, customerId, [], deps);
      await reviewHeldTasks(tx, customerId);
      await audit(tx, {
        action: 'delete',
        subjectType: 'threshold',
        subjectId: thresholdId,
        before: auditedOf(before),
      });
      return resumed.taskIds;
    });
    await tell(taskIds);
    return undefined;
  });

  serve(app, 'GET /thresholds/:thresholdId/events', ({ params, query, scope, inScope }) =>
    inScope(async (tx) => {
      const { thresholdId, customerId } = await mustFind(tx, customerOf(scope), params.thresholdId);
      const before = decodeCursor(query.cursor, EVENTS, ['uuid'])?.[0] ?? null;
      const found = await listRuleEvents(tx, { customerId, thresholdId }, { before, limit: query.limit + 1 });
      const { rows, nextCursor } = pageOf(found, query.limit, EVENTS, (row) => [row.eventId]);
      const names = await namesOf(tx, rows);
      return { items: rows.map((row) => presentEvent(row, names)), nextCursor };
    }),
  );

  serve(app, 'POST /thresholds/:thresholdId/resume', async ({ params, scope, user, inScope, audit }) => {
    const customerId = mustBeCustomer(scope);
    const { rule, taskIds } = await inScope(async (tx) => {
      const row = await lockRule(tx, customerId, params.thresholdId);
      if (row === null) throw new ProblemError('NOT_FOUND');
      const resumed = await letGo(tx, row, user.userId);
      if (resumed.taskIds.length === 0 && !resumed.application) throw new ProblemError('THRESHOLD_HOLDS_NOTHING');
      await insertRuleEvent(tx, {
        customerId,
        thresholdId: row.thresholdId,
        kind: 'resume',
        value: null,
        bound: null,
        amount: resumed.taskIds.length,
        told: false,
        userId: user.userId,
      });
      await audit(tx, {
        action: 'resume',
        subjectType: 'threshold',
        subjectId: row.thresholdId,
        after: { tasks: resumed.taskIds, appId: resumed.application ? row.appId : null },
      });
      return { rule: await presentOne(tx, row, user), taskIds: resumed.taskIds };
    });
    await tell(taskIds);
    return rule;
  });

  const tell = async (taskIds: readonly string[]): Promise<void> => {
    for (const taskId of taskIds) await notify(control, TASK_CHANNEL, taskId);
    await notify(control, JOBS_CHANNEL, 'task');
  };
}

/** Who writes rules is of a customer; the contract lets nobody else in. */
const mustBeCustomer = (scope: Scope): string => {
  const customerId = customerOf(scope);
  if (customerId === null) throw new ProblemError('NOT_FOUND');
  return customerId;
};

async function mustFind(tx: PoolClient, customerId: string | null, thresholdId: string): Promise<RuleRow> {
  const row = await findRule(tx, customerId, thresholdId);
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
}

/** Held for a change of the customer's own. */
async function mustHold(tx: PoolClient, customerId: string, thresholdId: string): Promise<RuleRow> {
  const row = await lockRule(tx, customerId, thresholdId);
  if (row === null) throw new ProblemError('NOT_FOUND');
  if (row.setBy === 'staff') throw new ProblemError('THRESHOLD_SET_BY_STAFF');
  return row;
}

async function assertApplication(tx: PoolClient, customerId: string, { appId }: RuleInput): Promise<void> {
  if (appId !== null && !(await hasApplication(tx, customerId, appId)))
    throw new ProblemError('APP_NOT_FOUND', { appId }, [{ field: 'appId', code: 'APP_NOT_FOUND' }]);
}

/** What the log keeps of a rule: its bounds, not when it was looked at. */
const auditedOf = (row: RuleRow): object =>
  Object.fromEntries(
    Object.entries(row).filter(
      ([key, value]) =>
        value !== null &&
        ![
          'customerId',
          'toldAt',
          'alertedPeriod',
          'limitedPeriod',
          'firingSince',
          'lastValue',
          'lastVolume',
          'checkedAt',
          'version',
          'customerName',
        ].includes(key),
    ),
  );

async function letGo(
  tx: PoolClient,
  { customerId, thresholdId }: RuleRow,
  userId: string | null,
): Promise<{ taskIds: string[]; application: boolean }> {
  const tasks = await resumeTasksOf(tx, customerId, thresholdId);
  for (const { taskId } of tasks)
    await insertTaskEvent(tx, { taskId, customerId, taskStatus: null, action: 'resume', userId, note: null });
  const application = await resumeApplicationOf(tx, customerId, thresholdId);
  return { taskIds: tasks.map(({ taskId }) => taskId), application };
}
