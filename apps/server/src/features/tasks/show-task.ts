import { AuditStatus, TaskStatus } from '@pahatid/contract/enums';
import { getReserved } from '@pahatid/db/queries/reservations';
import { countInFlight, findTaskFacts } from '@pahatid/db/queries/task-details';
import { sumResendable } from '@pahatid/db/queries/task-resending';
import { listTaskEvents, type TaskEventRow, type TaskRow } from '@pahatid/db/queries/tasks';
import type { PoolClient } from 'pg';
import type { Call } from '../../http/call.ts';
import type { ReviewRules } from '../../review-rules/review-rules.ts';
import { mustFind } from './act-on-task.ts';
import { presentAudience, presentCheck, presentEvents, presentGrace, presentTask } from './present-task.ts';

export const showTask = (
  call: Call<'GET /tasks/:taskId'>,
  rateOf: (row: TaskRow) => number,
  rules: Pick<ReviewRules, 'expected'>,
) =>
  call.inScope(async (tx) => {
    const row = await mustFind(tx, call, call.params.taskId);
    const events = await listTaskEvents(tx, row.customerId, row.taskId);
    const facts = await findTaskFacts(tx, row.customerId, row.taskId);
    return {
      ...presentTask(row, call.user.customerId === null),
      content: facts?.content ?? null,
      file: facts?.file ?? null,
      audience: presentAudience(row),
      expectedTime: expectedReview(row, events, rules),
      graceEndTime: presentGrace(row),
      check: presentCheck(row),
      droppedCount: row.droppedCount,
      noConsentCount: row.noConsentCount,
      leaveOutCarriers: row.leaveOutCarriers,
      leftOutCount: row.leftOutCount,
      price: row.price,
      chargedSegments: Math.max(0, row.chargedSegments),
      reservedCost: await getReserved(tx, row.taskId),
      rate: rateOf(row),
      inFlightCount: await readInFlight(tx, row),
      resendableCount: await readResendable(tx, row),
      timeline: presentEvents(events),
    };
  });

/** When a decision may be expected: counted from when it last entered review. */
function expectedReview(row: TaskRow, events: readonly TaskEventRow[], rules: Pick<ReviewRules, 'expected'>) {
  const entered = events.findLast(({ taskStatus }) => taskStatus === TaskStatus.PendingReview);
  return row.taskStatus === TaskStatus.PendingReview && entered !== undefined
    ? rules.expected(AuditStatus.Pending, entered.at).expectedTime
    : null;
}

/** Nothing is in flight if nothing is being sent: the batches need not be read. */
export const readInFlight = async (tx: PoolClient, row: TaskRow): Promise<number> =>
  row.taskStatus === TaskStatus.Sending || row.taskStatus === TaskStatus.Terminated
    ? countInFlight(tx, row.customerId, row.taskId)
    : 0;

const readResendable = async (tx: PoolClient, row: TaskRow): Promise<number> =>
  row.unconfirmedCount > 0 ? (await sumResendable(tx, row.customerId, row.taskId)).count : 0;
