/**
 * The decision of an A/B test: by its rule when its wait is over, or by a person at any time before. One transaction
 * writes the results, the winner and its text for the others, which then start as a planned task does; a second
 * decision finds it decided.
 */
import type { FieldError } from '@pahatid/contract';
import { type Db, withTransaction, writeAudit } from '@pahatid/db';
import {
  type AbDecider,
  askForDecision,
  beginWaits,
  decideAbTest,
  findOpenAbTest,
  lockDueAbTest,
  type OpenAbTest,
} from '@pahatid/db/queries/ab-tests';
import { reserve } from '@pahatid/db/queries/reservations';
import { readDbMs } from '@pahatid/db/queries/task-running';
import { findTaskParts, insertTaskEvent, type TaskRow } from '@pahatid/db/queries/tasks';
import type { PoolClient } from 'pg';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { type NotifyDeps, notify } from '../../notices/notify.ts';
import type { ItemTurns } from '../../process/item-turns.ts';
import { assertLinksUsable } from '../../review-rules/check-links.ts';
import type { TaskJobContext } from '../../sending/job-context.ts';
import { type Actor, record, refused } from './act-on-task.ts';
import { type AbResults, readResults } from './judge-results.ts';

const DAY_MS = 86_400_000;
const testsAtOnce = 20;

interface Choice {
  readonly winner: number;
  readonly by: AbDecider;
  readonly userId: string | null;
}

/** Each test in a separate transaction: one that can't be decided waits, and the others are. True when any moved. */
export async function decideAbTests(context: TaskJobContext, deps: NotifyDeps, turns: ItemTurns): Promise<boolean> {
  const { pool, offsetMs } = context;
  await beginWaits(pool, offsetMs);
  let decided = 0;
  for (let turn = 0; turn < testsAtOnce; turn += 1) {
    let found: OpenAbTest | null = null;
    try {
      await withTransaction(pool, async (tx) => {
        found = await lockDueAbTest(tx, offsetMs, turns.waiting);
        if (found !== null) await decideByRule(tx, found, deps, offsetMs);
      });
    } catch (error) {
      const failed = found as OpenAbTest | null;
      if (failed === null) throw error;
      turns.fail(failed.taskId, error);
      continue;
    }
    const test = found as OpenAbTest | null;
    if (test === null) break;
    turns.succeed(test.taskId);
    context.notifyTask(test.taskId);
    decided += 1;
  }
  return decided > 0;
}

async function decideByRule(tx: PoolClient, test: OpenAbTest, deps: NotifyDeps, offsetMs: number): Promise<void> {
  const results = await readTestResults(tx, test);
  const choice = choose(test, results);
  const mayBeSent = choice !== null && (await findObstacle(tx, test, choice.winner)) === null;
  if (!mayBeSent) {
    await askForDecision(tx, test.taskId, offsetMs);
    return notifyUndecided(tx, test, deps);
  }
  await decide(tx, test, results, choice, offsetMs);
  const { taskId, customerId } = test;
  const { winner, by } = choice;
  await insertTaskEvent(tx, {
    taskId,
    customerId,
    taskStatus: null,
    action: 'abDecide',
    userId: null,
    note: nameOf(winner),
  });
  await writeAudit(tx, {
    customerId,
    userId: null,
    account: null,
    ip: null,
    action: 'abDecide',
    subjectType: 'task',
    subjectId: taskId,
    before: null,
    after: { winner, by },
  });
}

/** Null: a person decides. */
function choose({ rule, fallback }: OpenAbTest, { counts, judgement }: AbResults): Choice | null {
  const hasData = counts.some((each) => (each?.accepted ?? 0) > 0);
  if (rule === 'manual' || !hasData) return null;
  if (judgement.leader !== null && !judgement.isWithinChance)
    return { winner: judgement.leader, by: 'rule', userId: null };
  return fallback === null ? null : { winner: fallback, by: 'fallback', userId: null };
}

/** A decision by a user, also before its time. */
export async function decideByPerson(tx: PoolClient, actor: Actor, before: TaskRow, winner: number): Promise<void> {
  const { taskId, customerId } = before;
  const test = await findOpenAbTest(tx, customerId, taskId);
  if (test === null) throw refused(before, 'decide');
  if (winner >= test.variants.length) throw fieldProblem('winner', 'NOT_AN_OPTION' satisfies FieldError['code']);
  const obstacle = await findObstacle(tx, test, winner);
  if (obstacle !== null) throw obstacle;
  await decide(tx, test, await readTestResults(tx, test), { winner, by: 'person', userId: actor.user.userId }, 0);
  await record(
    tx,
    actor,
    { taskId, customerId, from: before.taskStatus },
    { action: 'abDecide', taskStatus: null, note: nameOf(winner) },
  );
}

const nameOf = (variant: number): string => String.fromCharCode(65 + variant);

const readTestResults = (db: Db, { customerId, rule, variants }: OpenAbTest): Promise<AbResults> =>
  readResults(db, { customerId, rule, children: variants.map(({ childId }) => childId) });

/** Why the text of a variant may not be sent to more people: its template or a link in it was withdrawn meanwhile. */
async function findObstacle(db: Db, test: OpenAbTest, winner: number): Promise<ProblemError | null> {
  const { customerId, appId, senderId } = test;
  const variant = test.variants[winner];
  if (variant === undefined) return null;
  const { templateId, content } = variant;
  const parts = await findTaskParts(db, customerId, { appId, templateId, senderId, fileId: null });
  if (parts.template?.version == null) return new ProblemError('TEMPLATE_NOT_SENDABLE');
  try {
    await assertLinksUsable(db, customerId, [content], parts.now);
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  return null;
}

async function decide(
  tx: PoolClient,
  test: OpenAbTest,
  results: AbResults,
  choice: Choice,
  offsetMs: number,
): Promise<void> {
  const { taskId, customerId } = test;
  const startAt = await findStart(tx, test, choice.winner, offsetMs);
  const cost = await decideAbTest(tx, { taskId, ...choice, results, startAt, offsetMs });
  if (cost === null) throw new Error(`the A/B test of task ${taskId} was decided before`);
  await reserve(tx, { taskId, customerId, cost });
}

/** Now; where variants differ in their times, the next time of the day at which the winner started. */
async function findStart(tx: PoolClient, test: OpenAbTest, winner: number, offsetMs: number): Promise<Date> {
  const nowMs = await readDbMs(tx, offsetMs);
  const delayMs = (test.variants[winner]?.delayMinutes ?? 0) * 60_000;
  if (test.variants.every(({ delayMinutes }) => delayMinutes === test.variants[0]?.delayMinutes))
    return new Date(nowMs);
  const firstMs = test.startedAt.getTime() + delayMs;
  return new Date(firstMs + Math.max(0, Math.ceil((nowMs - firstMs) / DAY_MS)) * DAY_MS);
}

async function notifyUndecided(tx: PoolClient, test: OpenAbTest, deps: NotifyDeps): Promise<void> {
  const { taskId, taskName, customerId, createdBy } = test;
  await notify(
    tx,
    {
      kind: 'abUndecided',
      customerId,
      params: { taskId, taskName },
      onceKey: `ab:${taskId}`,
      ...(createdBy === null ? {} : { userIds: [createdBy] }),
    },
    deps,
  );
}
