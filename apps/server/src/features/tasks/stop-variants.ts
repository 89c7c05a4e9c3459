import { TaskStatus, YesNo } from '@pahatid/contract/enums';
import { sql } from '@pahatid/db';
import { listOpenVariants } from '@pahatid/db/queries/ab-tests';
import { releaseReservation } from '@pahatid/db/queries/reservations';
import type { PoolClient } from 'pg';
import { type Actor, mustFind, transition } from './act-on-task.ts';

/** Who cancels an A/B test before its decision stops its variants too: what is not handed over by then is not sent. */
export async function stopVariants(tx: PoolClient, actor: Actor, testId: string): Promise<void> {
  for (const { taskId, taskStatus } of await listOpenVariants(tx, testId)) {
    const variant = await mustFind(tx, actor, taskId);
    if (taskStatus === TaskStatus.Confirmed) {
      await transition(tx, actor, variant, 'cancel', { set: sql`ended_at = clock_timestamp()` });
      await releaseReservation(tx, taskId);
    } else await transition(tx, actor, variant, 'terminate', { set: sql`paused = ${YesNo.No}, status_reason = null` });
  }
}
