import { AuditStatus, type Overview, type Waiting } from '@pahatid/contract';
import {
  listBusiestCustomers,
  listBusiestRoutes,
  listCustomerNames,
  listRouteNames,
  type OverviewSpan,
  sumByCarrier,
} from '@pahatid/db/queries/overview';
import { listReviews } from '@pahatid/db/queries/reviews';
import type { ApiDeps } from '../../http/deps.ts';

const shownReviews = 8;
const shownOfEach = 10;

/** Returns the staff's additional figures: the busiest customers, carriers and routes, and their waiting items. */
export async function readStaffPart(
  pools: ApiDeps['pools'],
  span: OverviewSpan,
): Promise<{ staff: NonNullable<Overview['staff']>; waiting: Waiting[] }> {
  const [customers, carriers, routes, reviews] = await Promise.all([
    listBusiestCustomers(pools.data, span, shownOfEach),
    sumByCarrier(pools.data, span),
    listBusiestRoutes(pools.data, span, shownOfEach),
    listReviews(pools.control, { auditStatus: [AuditStatus.Pending], limit: shownReviews }),
  ]);
  const [customerNames, routeNames] = await Promise.all([
    listCustomerNames(
      pools.control,
      customers.map(({ customerId }) => customerId),
    ),
    listRouteNames(
      pools.control,
      routes.map(({ routeId }) => routeId),
    ),
  ]);
  return {
    staff: {
      customers: customers.map((each) => ({ ...each, operator: customerNames.get(each.customerId) ?? '' })),
      carriers,
      routes: routes.map((each) => ({
        ...each,
        ...(routeNames.get(each.routeId) ?? { routeName: '', supplierAccount: '' }),
      })),
    },
    waiting: reviews.map(
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
  };
}
