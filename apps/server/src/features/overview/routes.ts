import { type Overview, type Task, TaskStatus, type Waiting } from '@pahatid/contract';
import { findCustomer, getCustomerId, getFunds } from '@pahatid/db';
import {
  findFirstSteps,
  getSpendPerDay,
  listAlertedThresholds,
  listTaskStarts,
  listWaiting,
} from '@pahatid/db/queries/overview';
import { findQuietHours } from '@pahatid/db/queries/quiet-hours';
import { listTasks, type TaskRow } from '@pahatid/db/queries/tasks';
import { forecastBalance, legalQuietHours } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { maySeeFunds } from '../../http/call.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { zoneNamed } from '../../http/zone.ts';
import { readWaitingCounts } from './count-waiting.ts';
import { presentWaiting } from './customer-waiting.ts';
import { readBefore, readFigures } from './figures.ts';
import { readStaffPart } from './staff-overview.ts';

const shownOfEachKind = 5;
const shownRunning = 20;
const shownStarts = 50;

/** Presenting tasks belongs to the tasks feature; the program's set-up passes it in. */
export interface OverviewParts {
  readonly presentTask: (row: TaskRow, isStaff: boolean) => Task;
  /** Messages per second over the last ten seconds. */
  readonly rateOf: (row: TaskRow) => number;
}

export const registerOverview =
  (parts: OverviewParts) =>
  (app: FastifyInstance, deps: ApiDeps): void => {
    serve(app, 'GET /overview/waiting', (call) => readWaitingCounts(deps, call, parts.presentTask));
    serve(app, 'GET /overview', async ({ query, user, scope, inScope, inReadScope }): Promise<Overview> => {
      const zone = zoneNamed(query.zone);
      if (zone === null) throw fieldProblem('zone', 'NOT_AN_OPTION');
      const customerId = getCustomerId(scope);
      const asked = { customerId, range: query.range, zone, now: deps.now() };
      const { span, figures, trend, before, perDay } = await inReadScope(async (tx) => ({
        ...(await readFigures(tx, asked)),
        before: await readBefore(tx, asked),
        perDay: customerId === null ? 0 : await getSpendPerDay(tx, customerId, zone, asked.now),
      }));
      const { running, starts, own } = await inScope(async (tx) => ({
        starts:
          customerId === null || query.range !== 'today' ? [] : await listTaskStarts(tx, customerId, span, shownStarts),
        running: await readRunning(tx, customerId, parts),
        own: customerId === null ? null : await readOwn(tx, customerId, deps.now()),
      }));
      const isFundsShown = maySeeFunds(user);
      const staff = customerId === null ? await readStaffPart(deps.pools, span) : null;
      return {
        from: span.from.toISOString(),
        to: span.to.toISOString(),
        figures,
        before,
        quietHours: own === null ? legalQuietHours : own.quietHours,
        balance: (isFundsShown ? own?.balance : null) ?? null,
        reserved: (isFundsShown ? own?.reserved : null) ?? null,
        forecast:
          own && isFundsShown
            ? forecastBalance({ balance: own.balance ?? 0, reserved: own.reserved ?? 0 }, perDay)
            : null,
        trend,
        starts: starts.map((start) => ({ ...start, time: start.time.toISOString() })),
        running,
        waiting: (own?.waiting ?? staff?.waiting ?? []).filter(({ kind }) => isFundsShown || kind !== 'lowBalance'),
        steps: own?.steps ?? [],
        staff: staff?.staff ?? null,
      };
    });
  };

async function readRunning(
  tx: PoolClient,
  customerId: string | null,
  { presentTask, rateOf }: OverviewParts,
): Promise<Overview['running']> {
  const taskStatus = [TaskStatus.Preparing, TaskStatus.Sending];
  const rows = await listTasks(tx, { customerId, taskStatus, limit: shownRunning });
  return rows.map((row) => ({ ...presentTask(row, customerId === null), rate: rateOf(row) }));
}

/** A customer's money, what waits for its people, and its first steps while one is left. */
async function readOwn(
  tx: PoolClient,
  customerId: string,
  now: Date,
): Promise<Pick<Overview, 'quietHours' | 'balance' | 'reserved' | 'waiting' | 'steps'>> {
  const funds = await getFunds(tx, customerId);
  const customer = await findCustomer(tx, customerId);
  const waiting: Waiting[] = (await listWaiting(tx, customerId, shownOfEachKind)).map(presentWaiting);
  const alerted = await listAlertedThresholds(tx, customerId, now);
  waiting.unshift(
    ...alerted.map(({ time, ...rule }): Waiting => ({ kind: 'threshold', ...rule, time: time.toISOString() })),
  );
  const available = funds.balance - funds.reserved;
  if (customer !== null && available < customer.lowBalance) waiting.unshift({ kind: 'lowBalance', available });
  const done = await findFirstSteps(tx, customerId);
  const steps = (['application', 'template', 'approved', 'sender', 'task'] as const).map((step) => ({
    step,
    done: done[step],
  }));
  const quietHours = await findQuietHours(tx, customerId);
  return { ...funds, quietHours, waiting, steps: steps.every((each) => each.done) ? [] : steps };
}
