import type { SendLog } from '@pahatid/contract';
import { listSendLog, type SendLogRow } from '@pahatid/db/queries/task-details';
import type { Call } from '../../http/call.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import { mustFind } from './act-on-task.ts';
import { logColumns } from './csv-columns.ts';

/** Rows read at a time for a csv. */
const csvPage = 1_000;

export async function listLog(call: Call<'GET /tasks/:taskId/log'>) {
  const { inScope } = call;
  const task = await inScope((tx) => mustFind(tx, call, call.params.taskId));
  const { name, isReversed } = readOrder('log', call.query.sort, '-sendTime');
  const readPage = async (cursor: string | undefined, limit: number) => {
    const page = { after: decodeCursor(cursor, name, ['time']), isDescending: !isReversed, limit: limit + 1 };
    const rows = await inScope((tx) => listSendLog(tx, { customerId: task.customerId, taskId: task.taskId, ...page }));
    const found = toPage(rows, limit, name, (row) => [row.minuteKey]);
    return { items: found.rows.map(presentLog), nextCursor: found.nextCursor };
  };
  return { fileName: `${task.taskName}-log`, columns: logColumns, csvPage, readPage };
}

const presentLog = (row: SendLogRow): SendLog => ({
  sendTime: row.minute.toISOString(),
  totalCount: row.totalCount,
  successCount: row.successCount,
  failedCount: row.failedCount,
});
