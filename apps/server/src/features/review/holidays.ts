import { listHolidays, lockHoliday, removeHoliday, saveHoliday } from '@pahatid/db';
import type { FastifyInstance } from 'fastify';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';

/** Public holidays: days without reviews. */
export function registerHolidays(app: FastifyInstance): void {
  serve(app, 'GET /holidays', ({ query, inScope }) =>
    inScope(async (tx) => ({ items: await listHolidays(tx, query.from ?? null), nextCursor: null })),
  );

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
