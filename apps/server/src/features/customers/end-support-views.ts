import { withTransaction, writeAudit } from '@pahatid/db';
import { endOverSupportViews } from '@pahatid/db/queries/support-views';
import type { JobContext } from '../../sending/job-context.ts';

/** Ends expired support views, and those whose user signed out: their end is logged, too. */
export async function endSupportViews({ pool, offsetMs }: JobContext): Promise<void> {
  await withTransaction(pool, async (tx) => {
    for (const view of await endOverSupportViews(tx, new Date(Date.now() + offsetMs)))
      await writeAudit(tx, {
        customerId: view.customerId,
        userId: view.userId,
        account: view.account,
        ip: null,
        action: 'endView',
        subjectType: 'customer',
        subjectId: view.customerId,
        before: null,
        after: { from: view.startedAt.toISOString(), to: view.endedAt.toISOString() },
      });
  });
}
