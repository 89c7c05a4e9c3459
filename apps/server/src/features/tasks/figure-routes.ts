import type { SendHours, TaskBreakdown, TaskEstimate } from '@pahatid/contract';
import { getCustomerId } from '@pahatid/db';
import { findQuietHours } from '@pahatid/db/queries/quiet-hours';
import { type CheckedTaskRow, countOutcomes, findCheckFacts } from '@pahatid/db/queries/task-figures';
import { findTask, findTaskParts, type TaskRow } from '@pahatid/db/queries/tasks';
import { compileTemplate } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { zoneNamed } from '../../http/zone.ts';
import { NoRouteError, RoutingCache } from '../../sending/route/routing-table.ts';
import { toTaskFields } from './act-on-task.ts';
import { presentBreakdown } from './break-down-task.ts';
import { estimateRows, getAverage, presentCarrier } from './estimate-task.ts';
import { findBlockedLinks } from './find-blocked-links.ts';
import { forecastSpeed } from './forecast-task.ts';
import { makeRecent } from './recent.ts';
import { readSendHours, SEND_HOURS_DAYS } from './send-hours.ts';
import { assertFileUsable, assertTemplateSendable, chooseMapping } from './task-parts.ts';

/** Maximum age of a task's breakdown: computing it reads each of its messages. */
const breakdownMs = 10_000;
/** Ninety days change little meanwhile. */
const SEND_HOURS_MS = 600_000;
const DAY_MS = 86_400_000;

export function registerTaskFigures(app: FastifyInstance, deps: ApiDeps): void {
  const pool = deps.pools.control;
  const routing = new RoutingCache(pool);
  const breakdowns = makeRecent<TaskBreakdown>(breakdownMs);
  const sendHours = makeRecent<SendHours>(SEND_HOURS_MS);
  /** One estimate at a time in this process, so that concurrent ones do not delay other requests. */
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work, work);
    turn = mine.catch(() => undefined);
    return mine;
  };

  serve(app, 'GET /tasks/estimate', async ({ query, user, inScope, signal }): Promise<TaskEstimate> => {
    const { customerId } = user;
    if (customerId === null) throw new ProblemError('FORBIDDEN');
    const smsType = Number(query.smsType);
    const { fileId, templateId } = query;
    const { parts, quietHours } = await inScope(async (tx) => ({
      parts: await findTaskParts(tx, customerId, { appId: null, templateId, senderId: null, fileId }),
      quietHours: await findQuietHours(tx, customerId),
    }));
    if (parts.file === null) throw new ProblemError('FILE_NOT_FOUND');
    if (parts.template === null) throw new ProblemError('TEMPLATE_NOT_FOUND');
    assertTemplateSendable({ smsType }, parts);
    assertFileUsable(parts);
    const mapping = query.columns === undefined ? null : { variables: query.columns };
    const { variables } = chooseMapping({ mapping }, parts);
    const table = await routing.current();
    const terms = {
      customerId,
      appId: parts.template.appId,
      smsType,
      template: compileTemplate(parts.template.content ?? ''),
      mapping: variables,
      routing: table,
    };
    const { generation, optedOutCount } = parts.file;
    const file = { fileId, generation, optedOutCount };
    const figures = await inTurn(() => estimateRows(pool, file, terms, { signal })).catch((error: unknown) => {
      throw error instanceof NoRouteError ? new ProblemError('NO_ROUTE', { carrier: '' }) : error;
    });
    const { carriers } = figures;
    const speed = await forecastSpeed(pool, table, { customerId, smsType, carriers, taskId: null });
    return { ...figures, blockedLinks: [], speed, quietHours };
  });

  serve(app, 'GET /tasks/send-hours', async ({ query, user, inScope }) => {
    const { customerId } = user;
    if (customerId === null) throw new ProblemError('FORBIDDEN');
    const zone = zoneNamed(query.zone ?? user.zone);
    if (zone === null) throw fieldProblem('zone', 'NOT_AN_OPTION');
    const appId = query.appId ?? null;
    return sendHours.of(JSON.stringify([customerId, appId, zone]), () => {
      const to = deps.now();
      const from = new Date(to.getTime() - SEND_HOURS_DAYS * DAY_MS);
      return inScope((tx) => readSendHours(tx, { customerId, appId, from, to, zone }));
    });
  });

  serve(app, 'GET /tasks/:taskId/estimate', async ({ params, scope, inScope }): Promise<TaskEstimate> => {
    const { task, facts, blockedLinks, quietHours } = await inScope(async (tx) => {
      const found = await findTask(tx, getCustomerId(scope), params.taskId);
      if (found === null) throw new ProblemError('NOT_FOUND');
      const checked = await findCheckFacts(tx, found.customerId, found.taskId);
      return {
        task: found,
        facts: checked,
        blockedLinks: checked === null ? [] : await readBlockedLinks(tx, found, checked),
        quietHours: await findQuietHours(tx, found.customerId),
      };
    });
    if (facts === null) throw new ProblemError('TASK_TRANSITION', { from: task.taskStatus, action: 'estimate' });
    const carriers = (facts.checkFacts?.carriers ?? []).map(presentCarrier);
    const { customerId, smsType, taskId } = task;
    const rowCount =
      facts.totalCount + facts.droppedCount + facts.optedOutCount + facts.noConsentCount + facts.leftOutCount;
    return {
      rowCount,
      readCount: rowCount,
      recipients: facts.totalCount,
      optedOutCount: facts.optedOutCount,
      noConsentCount: facts.noConsentCount,
      leftOutCount: facts.leftOutCount,
      blockedLinks,
      droppedCount: facts.droppedCount,
      segmentsMin: facts.checkFacts?.segmentsMin ?? 0,
      segmentsMax: facts.checkFacts?.segmentsMax ?? 0,
      segmentsAverage: getAverage(facts.estimatedSegments, facts.totalCount),
      segments: facts.estimatedSegments,
      cost: facts.estimatedCost,
      longestRow: null,
      carriers,
      speed: await forecastSpeed(pool, await routing.current(), {
        customerId,
        smsType: smsType ?? 0,
        carriers,
        taskId,
      }),
      quietHours,
    };
  });

  serve(app, 'GET /tasks/:taskId/breakdown', async ({ params, scope, inScope }) => {
    const task = await inScope((tx) => findTask(tx, getCustomerId(scope), params.taskId));
    if (task === null) throw new ProblemError('NOT_FOUND');
    return breakdowns.of(task.taskId, async () =>
      presentBreakdown(await inScope((tx) => countOutcomes(tx, task.customerId, task.taskId))),
    );
  });
}

/** As they are now: a carrier may have allowed a domain since the check. */
async function readBlockedLinks(tx: PoolClient, task: TaskRow, facts: CheckedTaskRow) {
  const { customerId, appId } = task;
  const parts = await findTaskParts(tx, customerId, { ...toTaskFields(task), fileId: null, groupIds: [] });
  const senderId = parts.sender?.senderId ?? parts.defaultSender;
  if (senderId === null) return [];
  const carriers = facts.checkFacts?.carriers ?? [];
  return findBlockedLinks(tx, { customerId, appId, senderId, content: facts.content ?? '', carriers });
}
