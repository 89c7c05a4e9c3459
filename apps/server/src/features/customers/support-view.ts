/**
 * Acting as support: a member of the staff sees a customer's screens as its viewer would, with phones masked, and can
 * change nothing. The view belongs to the session, so every screen of that browser shows it, and it ends automatically.
 */
import { endSupportView, insertSupportView } from '@pahatid/db/queries/support-views';
import type { FastifyInstance } from 'fastify';
import { onConflict } from '../../http/conflicts.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { mustFindCustomer } from './find-customer.ts';

const longestMs = 30 * 60_000;

export function registerSupportView(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, 'POST /customers/:customerId/view', ({ params, user, inScope, audit }) => {
    const { customerId } = params;
    const now = deps.now();
    const endsAt = new Date(now.getTime() + longestMs);
    return onConflict({ support_view_open: 'CONFLICT' }, () =>
      inScope(async (tx) => {
        const { customerName } = await mustFindCustomer(tx, customerId);
        // One that has expired but is not closed yet.
        const { sessionHash } = user;
        const before = await endSupportView(tx, sessionHash, now);
        if (before !== null)
          await audit(tx, {
            customerId: before.customerId,
            action: 'endView',
            subjectType: 'customer',
            subjectId: before.customerId,
            after: { from: before.startedAt.toISOString(), to: before.endedAt.toISOString() },
          });
        await insertSupportView(tx, { customerId, userId: user.userId, sessionHash, now, endsAt });
        await audit(tx, {
          customerId,
          action: 'beginView',
          subjectType: 'customer',
          subjectId: customerId,
          // The entry contains the member of staff, in a part that the customer is not shown.
          after: { until: endsAt.toISOString() },
        });
        return { customerId, customerName, until: endsAt.toISOString() };
      }),
    );
  });

  serve(app, 'DELETE /support-view', ({ user, withTransaction, audit }) =>
    // Not in the customer's scope, which has no access to support views.
    withTransaction(async (tx) => {
      const view = await endSupportView(tx, user.sessionHash, deps.now());
      if (view === null) throw new ProblemError('NOT_FOUND');
      await audit(tx, {
        customerId: view.customerId,
        action: 'endView',
        subjectType: 'customer',
        subjectId: view.customerId,
        after: { from: view.startedAt.toISOString(), to: view.endedAt.toISOString() },
      });
      return undefined;
    }),
  );
}
