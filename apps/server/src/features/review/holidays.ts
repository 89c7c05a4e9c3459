import { lockHoliday, pageHolidays, removeHoliday, saveHoliday } from '@pahatid/db';
import type { FastifyInstance } from 'fastify';
import { type CsvColumn, column } from '../../http/csv.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { type RowOf, serveList } from '../../http/serve-list.ts';

const columns: readonly CsvColumn<RowOf<'GET /holidays'>>[] = [
  column('日期', 'Day', (row) => row.day),
  column('名称', 'Name', (row) => row.name),
  column('中文名称', 'Chinese name', (row) => row.nameZh),
];

/** Public holidays: days without reviews. */
export function registerHolidays(app: FastifyInstance): void {
  serveList(app, 'GET /holidays', async ({ query, inScope }) => {
    const { name, isReversed } = readOrder('holidays', query.sort, 'day');
    const readPage = (cursor: string | undefined, limit: number) =>
      inScope(async (tx) => {
        const page = { after: decodeCursor(cursor, name, ['day']), isDescending: isReversed, limit: limit + 1 };
        const { rows, nextCursor } = toPage(await pageHolidays(tx, query.from ?? null, page), limit, name, (row) => [
          row.day,
        ]);
        return { items: [...rows], nextCursor };
      });
    return { fileName: 'holidays', columns, readPage };
  });

  serve(app, 'PUT /holidays/:day', ({ params: { day }, body, withTransaction, audit }) =>
    withTransaction(async (tx) => {
      const holiday = { day, ...body };
      const before = await lockHoliday(tx, day);
      await saveHoliday(tx, holiday);
      await audit(tx, { action: 'edit', subjectType: 'holiday', subjectId: day, before, after: holiday });
      return holiday;
    }),
  );

  serve(app, 'DELETE /holidays/:day', ({ params: { day }, withTransaction, audit }) =>
    withTransaction(async (tx) => {
      const before = await lockHoliday(tx, day);
      if (before === null) throw new ProblemError('NOT_FOUND');
      await removeHoliday(tx, day);
      await audit(tx, { action: 'delete', subjectType: 'holiday', subjectId: day, before });
      return undefined;
    }),
  );
}
