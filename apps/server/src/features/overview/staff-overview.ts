import { AuditStatus, type Overview, type Waiting } from '@pahatid/contract';
import {
  listBinds,
  listBusiestCustomers,
  listCustomerNames,
  listQueues,
  type OverviewSpan,
  sumByCarrier,
} from '@pahatid/db/queries/overview';
import { listReviews } from '@pahatid/db/queries/reviews';
import type { SignedInUser } from '../../http/call.ts';
import type { ApiDeps } from '../../http/deps.ts';

const shownReviews = 8;
const shownCustomers = 10;

/** What staff see beside the figures: queues, binds, customers, carriers, and what waits for them. */
export async function readStaffPart(
  pools: ApiDeps['pools'],
  user: SignedInUser,
  span: OverviewSpan,
): Promise<{ staff: NonNullable<Overview['staff']>; waiting: Waiting[] }> {
  const [queues, binds, customers, carriers, reviews] = await Promise.all([
    listQueues(pools.control),
    listBinds(pools.control),
    listBusiestCustomers(pools.data, span, shownCustomers),
    sumByCarrier(pools.data, span),
    // Operators do not review, so nothing there waits for them.
    user.role === 'operator'
      ? []
      : listReviews(pools.control, { auditStatus: [AuditStatus.Pending], limit: shownReviews }),
  ]);
  const names = await listCustomerNames(
    pools.control,
    customers.map(({ customerId }) => customerId),
  );
  return {
    staff: {
      queues: queues.map((queue) => ({ ...queue, oldest: queue.oldest?.toISOString() ?? null })),
      binds: binds.map(({ supplierAccount, carrier, bound, wanted, lastError }) => ({
        supplierAccount,
        carrier,
        bound,
        wanted,
        lastError,
      })),
      customers: customers.map((each) => ({ ...each, operator: names.get(each.customerId) ?? '' })),
      carriers,
    },
    waiting: [
      ...binds
        .filter(({ bound, wanted }) => bound < wanted)
        .map(
          ({ supplierAccount, downSince }): Waiting => ({
            kind: 'bindDown',
            supplierAccount,
            since: downSince?.toISOString() ?? null,
          }),
        ),
      ...reviews.map(
        (review): Waiting => ({
          kind: 'review',
          id: review.id,
          title: review.title,
          of: review.kind,
          operator: review.customerName,
          auditStatus: review.auditStatus,
          time: review.submitTime.toISOString(),
        }),
      ),
    ],
  };
}
