/** The unit of work: claims, leases, intent marks. */
import type pg from 'pg';
import { copyLine, copyLines } from '../copy-lines.ts';

export interface NewBatch {
  batchId: bigint;
  customerId: string;
  taskId: string | null;
  appId: string;
  lane: number;
  supplierId: string;
  routeId: string;
  messageCount: number;
  round: number;
  notBefore: Date | null;
  /** Its messages are final already: nothing is to be sent. */
  done: boolean;
}

export const insertBatches = async (tx: pg.PoolClient, rows: readonly NewBatch[], at: Date): Promise<void> => {
  let lines = '';
  for (const row of rows) {
    lines += copyLine([
      row.batchId,
      row.customerId,
      row.taskId,
      row.appId,
      row.lane,
      row.supplierId,
      row.routeId,
      row.messageCount,
      row.round,
      row.notBefore,
      at,
      row.done ? 2 : 0,
      row.done ? at : null,
      row.done ? row.messageCount : 0,
    ]);
  }
  await copyLines(
    tx,
    `batch (batch_id, customer_id, task_id, app_id, lane, supplier_id, route_id, message_count, round, not_before,
            created_at, state, done_at, failed_count)`,
    lines,
  );
};
