import { AuditStatus } from '@pahatid/contract';
import { listReviews, type ReviewRow } from '@pahatid/db/queries/reviews';
import { toDomain } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import { type CsvColumn, column } from '../../http/csv.ts';
import { decodeCursor, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { serve } from '../../http/serve.ts';
import { type RowOf, serveList } from '../../http/serve-list.ts';
import { makeReviewRules } from '../../review-rules/review-rules.ts';
import { giveReviewBack, takeReview } from './claim-review.ts';
import { approveReview, rejectReview } from './decide-review.ts';
import { registerHolidays } from './holidays.ts';
import { presentReview } from './present-review.ts';
import { registerProhibitedTerms } from './prohibited-terms.ts';
import { readContext } from './read-context.ts';
import { reviewKinds } from './review-kinds.ts';

const keyOf = (row: ReviewRow) => [row.sortKey, row.id, String(row.version ?? 0)];

export function registerReviews(app: FastifyInstance, deps: ApiDeps): void {
  const readRules = makeReviewRules(deps.pools.control);
  const ownDomain = toDomain(deps.config.shortUrl);

  serveList(app, 'GET /reviews', async ({ query, user, inScope }) => {
    const rules = await readRules();
    const auditStatus = query.auditStatus ?? [AuditStatus.Pending];
    // Pending and decided ones are in different orders: a cursor of one is invalid in the other.
    const states = [...auditStatus].sort((a, b) => a - b).join();
    const { kind, customerId, id, sort } = query;
    const name = sort === undefined ? `reviews:${states}` : `reviews:${states}:${sort}`;
    const readPage = async (cursor: string | undefined, limit: number) => {
      const after = decodeCursor(cursor, name, ['time', 'uuid', 'number']);
      const found = await inScope((tx) =>
        listReviews(tx, { kind, customerId, id, auditStatus, sort, after, limit: limit + 1 }),
      );
      const { rows, nextCursor } = toPage(found, limit, name, keyOf);
      return { items: rows.map((row) => presentReview(row, rules, user.userId, deps.now(), ownDomain)), nextCursor };
    };
    return { fileName: 'reviews', columns, readPage };
  });

  serve(app, 'GET /reviews/:kind/:id', ({ params: { kind, id }, user, inScope }) =>
    inScope((tx) => readContext(tx, { kind: reviewKinds[kind], id }, user, deps.now())),
  );

  serve(app, 'POST /reviews/:kind/:id/claim', takeReview);
  serve(app, 'POST /reviews/:kind/:id/release', giveReviewBack);
  serve(app, 'POST /reviews/:kind/:id/approve', (call) => approveReview(call, deps));
  serve(app, 'POST /reviews/:kind/:id/reject', (call) => rejectReview(call, deps));

  registerHolidays(app);
  registerProhibitedTerms(app);
}

const columns: readonly CsvColumn<RowOf<'GET /reviews'>>[] = [
  column('类型', 'Kind', (row) => row.kind),
  column('名称', 'Name', (row) => row.title),
  column('客户', 'Customer', (row) => row.operator),
  column('应用', 'Application', (row) => row.appName),
  column('短信类型', 'SMS type', (row) => row.smsType),
  column('审核状态', 'Review status', (row) => row.auditStatus),
  column('审核意见', 'Reason', (row) => row.auditReason),
  column('提交时间', 'Submitted', (row) => row.submitTime),
  column('提交人', 'Submitted by', (row) => row.submittedBy),
  column('预计时间', 'Expected by', (row) => row.expectedTime),
  column('内容', 'Content', (row) => row.content),
];
