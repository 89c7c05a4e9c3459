import {
  countProhibitedTerms,
  lockProhibitedTerm,
  pageProhibitedTerms,
  removeProhibitedTerm,
  saveProhibitedTerm,
  uuidV7,
} from '@pahatid/db';
import type { FastifyInstance } from 'fastify';
import { type CsvColumn, column } from '../../http/csv.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { type RowOf, serveList } from '../../http/serve-list.ts';

/** The table of prohibited terms. Every process reads it again at least every ten seconds. */
export function registerProhibitedTerms(app: FastifyInstance): void {
  serveList(app, 'GET /prohibited-terms', async ({ query: { search, category, level, sort }, inScope }) => {
    const { name, isReversed } = readOrder('term', sort, 'term');
    return {
      fileName: 'prohibited-terms',
      columns,
      readPage: (cursor, limit) =>
        inScope(async (tx) => {
          const filter = { search, category, level };
          const after = decodeCursor(cursor, name, ['text', 'uuid']) as [string, string] | null;
          const rows = await pageProhibitedTerms(tx, { ...filter, after, isReversed, limit: limit + 1 });
          const page = toPage(rows, limit, name, (row) => [row.term, row.id]);
          const items = page.rows.map(({ exempt = [], ...row }) => ({ ...row, exempt: [...exempt] }));
          return { items, nextCursor: page.nextCursor, total: await countProhibitedTerms(tx, filter) };
        }),
    };
  });

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

const columns: readonly CsvColumn<RowOf<'GET /prohibited-terms'>>[] = [
  column('词语', 'Term', (row) => row.term),
  column('语言', 'Language', (row) => row.lang),
  column('类别', 'Category', (row) => row.category),
  column('级别', 'Level', (row) => row.level),
  column('允许的短语', 'Allowed phrases', (row) => row.exempt.join('; ')),
];
