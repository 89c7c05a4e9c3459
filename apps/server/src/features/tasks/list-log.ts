import type { SendLog } from '@pahatid/contract';
import { listSendLog, type SendLogRow } from '@pahatid/db/queries/task-details';
import type { Call } from '../../http/call.ts';
import { decodeCursor, toPage } from '../../http/cursor.ts';
import { mustFind } from './act-on-task.ts';
import { logColumns } from './csv-columns.ts';

/** Rows read at a time for a csv. */
const csvPage = 1_000;

export async function listLog(call: Call<'GET /tasks/:taskId/log'>) {
  const { inScope } = call;
  const task = await inScope((tx) => mustFind(tx, call, call.params.taskId));
  const readPage = async (cursor: string | undefined, limit: number) => {
    const before = decodeCursor(cursor, 'log', ['time'])?.[0] ?? null;
    const rows = await inScope((tx) =>
      listSendLog(tx, { customerId: task.customerId, taskId: task.taskId, before, limit: limit + 1 }),
    );
    const page = toPage(rows, limit, 'log', (row) => [row.minuteKey]);
    return { items: page.rows.map(presentLog), nextCursor: page.nextCursor };
  };
  return { fileName: `${task.taskName}-log`, columns: logColumns, csvPage, readPage };
}

const presentLog = (row: SendLogRow): SendLog => ({
  sendTime: row.minute.toISOString(),
  totalCount: row.totalCount,
  successCount: row.successCount,
  failedCount: row.failedCount,
});
