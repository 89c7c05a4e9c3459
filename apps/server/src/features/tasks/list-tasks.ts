import { getCustomerId } from '@pahatid/db';
import { listTasks } from '@pahatid/db/queries/tasks';
import type { Call } from '../../http/call.ts';
import { decodeCursor, toPage } from '../../http/cursor.ts';
import { taskColumns } from './csv-columns.ts';
import { presentTask } from './present-task.ts';

/** Rows read at a time for a csv. */
const csvPage = 1_000;

export async function listTasksFor({ query, scope, user, inScope, toShownAppId }: Call<'GET /tasks'>) {
  const sort = `tasks:${query.sort}`;
  const isStaff = user.customerId === null;
  const readPage = async (cursor: string | undefined, limit: number) => {
    const after = decodeCursor(cursor, sort, ['time', 'uuid']);
    const rows = await inScope((tx) =>
      listTasks(tx, {
        customerId: getCustomerId(scope),
        search: query.search,
        taskStatus: query.taskStatus,
        smsType: query.smsType,
        appId: query.appId,
        from: query.from,
        to: query.to,
        taskIds: query.ids,
        ascending: query.sort === 'createTime',
        after: after as [string, string] | null,
        limit: limit + 1,
      }),
    );
    const page = toPage(rows, limit, sort, (row) => [row.createdKey, row.taskId]);
    return {
      items: page.rows.map((row) => presentTask({ ...row, appId: row.appId && toShownAppId(row.appId) }, isStaff)),
      nextCursor: page.nextCursor,
    };
  };
  return { fileName: 'tasks', columns: taskColumns, csvPage, readPage };
}
