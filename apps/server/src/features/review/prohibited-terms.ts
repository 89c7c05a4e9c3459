import {
  countProhibitedTerms,
  lockProhibitedTerm,
  pageProhibitedTerms,
  removeProhibitedTerm,
  saveProhibitedTerm,
  uuidV7,
} from '@pahatid/db';
import type { FastifyInstance } from 'fastify';
import { decodeCursor, toPage } from '../../http/cursor.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';

/** The table of prohibited terms. Every process reads it again at least every ten seconds. */
export function registerProhibitedTerms(app: FastifyInstance): void {
  serve(app, 'GET /prohibited-terms', ({ query, inScope }) =>
    inScope(async (tx) => {
      const { cursor, limit, ...filter } = query;
      const after = decodeCursor(cursor, 'term', ['text', 'uuid']) as [string, string] | null;
      const rows = await pageProhibitedTerms(tx, { ...filter, after, limit: limit + 1 });
      const page = toPage(rows, limit, 'term', (row) => [row.term, row.id]);
      const items = page.rows.map(({ exempt = [], ...row }) => ({ ...row, exempt: [...exempt] }));
      return { items, nextCursor: page.nextCursor, total: await countProhibitedTerms(tx, filter) };
    }),
  );

  serve(app, 'PUT /prohibited-terms', ({ body, withTransaction, audit }) =>
    withTransaction(async (tx) => {
      const before = await lockProhibitedTerm(tx, body);
      const { exempt = [], ...saved } = await saveProhibitedTerm(tx, { ...body, id: uuidV7() });
      const action = before === null ? 'add' : 'edit';
      await audit(tx, { action, subjectType: 'prohibitedTerm', subjectId: saved.id, before, after: body });
      return { ...saved, exempt: [...exempt] };
    }),
  );

  serve(app, 'DELETE /prohibited-terms/:id', ({ params: { id }, withTransaction, audit }) =>
    withTransaction(async (tx) => {
      const before = await lockProhibitedTerm(tx, { id });
      if (before === null) throw new ProblemError('NOT_FOUND');
      await removeProhibitedTerm(tx, id);
      await audit(tx, { action: 'delete', subjectType: 'prohibitedTerm', subjectId: id, before });
      return undefined;
    }),
  );
}
