import { TaskStatus } from '@pahatid/contract';
import { getReserved } from '@pahatid/db/queries/reservations';
import { countInFlight, findTaskFacts } from '@pahatid/db/queries/task-details';
import { sumResendable } from '@pahatid/db/queries/task-resending';
import { listTaskEvents, type TaskRow } from '@pahatid/db/queries/tasks';
import type { PoolClient } from 'pg';
import type { Call } from '../../http/call.ts';
import { mustFind } from './act-on-task.ts';
import { presentAudience, presentCheck, presentEvents, presentTask } from './present-task.ts';

export const showTask = (call: Call<'GET /tasks/:taskId'>, rateOf: (row: TaskRow) => number) =>
  call.inScope(async (tx) => {
    const row = await mustFind(tx, call, call.params.taskId);
    const facts = await findTaskFacts(tx, row.customerId, row.taskId);
    return {
      ...presentTask(row, call.user.customerId === null),
      content: facts?.content ?? null,
      file: facts?.file ?? null,
      audience: presentAudience(row),
      check: presentCheck(row),
      droppedCount: row.droppedCount,
      price: row.price,
      chargedSegments: Math.max(0, row.chargedSegments),
      reservedCost: await getReserved(tx, row.taskId),
      rate: rateOf(row),
      inFlightCount: await readInFlight(tx, row),
      resendableCount: await readResendable(tx, row),
      timeline: presentEvents(await listTaskEvents(tx, row.customerId, row.taskId)),
    };
  });

/** Nothing is in flight if nothing is being sent: the batches need not be read. */
export const readInFlight = async (tx: PoolClient, row: TaskRow): Promise<number> =>
  row.taskStatus === TaskStatus.Sending || row.taskStatus === TaskStatus.Terminated
    ? countInFlight(tx, row.customerId, row.taskId)
    : 0;

const readResendable = async (tx: PoolClient, row: TaskRow): Promise<number> =>
  row.unconfirmedCount > 0 ? (await sumResendable(tx, row.customerId, row.taskId)).count : 0;
