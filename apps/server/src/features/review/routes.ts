import { AuditStatus } from '@pahatid/contract';
import { listReviews, type ReviewRow } from '@pahatid/db/queries/reviews';
import { toDomain } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import { decodeCursor, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { serve } from '../../http/serve.ts';
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

  serve(app, 'GET /reviews', async ({ query, user, inScope }) => {
    const rules = await readRules();
    const auditStatus = query.auditStatus ?? [AuditStatus.Pending];
    // Pending and decided ones are in different orders: a cursor of one is invalid in the other.
    const sort = `reviews:${[...auditStatus].sort((a, b) => a - b).join()}`;
    const found = await inScope((tx) =>
      listReviews(tx, {
        kind: query.kind,
        customerId: query.customerId,
        id: query.id,
        auditStatus,
        after: decodeCursor(query.cursor, sort, ['time', 'uuid', 'number']),
        limit: query.limit + 1,
      }),
    );
    const { rows, nextCursor } = toPage(found, query.limit, sort, keyOf);
    return { items: rows.map((row) => presentReview(row, rules, user.userId, deps.now(), ownDomain)), nextCursor };
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
