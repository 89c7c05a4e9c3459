/** What one member of staff asks for and another must approve: sums and prices beyond `GET /approval-limits`. */
import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { instant, listOf, money, page, smsType, text, uuid } from './shapes.ts';

/** Days after which a request can no longer be approved. */
export const approvalDays = 7;

/** Routes that return 202 with a pending approval instead of acting, if what they change is beyond the limits. */
export const approvalRoutes = [
  'POST /customers/:customerId/ledger',
  'POST /prices',
  'PATCH /prices/:priceId',
  'DELETE /prices/:priceId',
  'POST /price-changes',
  'PATCH /approval-limits',
] as const;
export type ApprovalRoute = (typeof approvalRoutes)[number];

/** The body of such a 202. */
export const pendingApproval = z.object({ approvalId: uuid, expireTime: instant });
export type PendingApproval = z.output<typeof pendingApproval>;

const approvalStates = ['pending', 'approved', 'rejected', 'withdrawn', 'expired'] as const;

const limits = {
  /** 1/10,000 PHP that one person enters for one customer within 24 hours, top-ups and corrections added up. */
  ledger: money.min(0).max(1e13),
  /** 1/10,000 PHP a segment, by which a price differs from the one that is in force for the same messages. */
  price: money.min(0).max(10_000_000),
};
const approvalLimits = z.object({ ...limits, version: z.number().int() });
export type ApprovalLimits = z.output<typeof approvalLimits>;

const ledgerRequest = z.object({ kind: z.enum(['topUp', 'adjustment']), amount: money, note: z.string() });
export type LedgerRequest = z.output<typeof ledgerRequest>;

const priceRequest = z.object({
  action: z.enum(['add', 'edit', 'delete', 'plan']),
  /** Of the price, or of the planned change. */
  id: uuid,
  /** The version that was changed; null if there was none. */
  version: z.number().int().nullable(),
  areaCode: z.string(),
  carrier: z.string().nullable(),
  smsType: smsType.nullable(),
  customerId: uuid.nullable(),
  /** null: the price is removed. */
  price: money.nullable(),
  /** The price in force when it was requested. */
  before: money,
  /** When a planned price begins. */
  effectiveTime: instant.nullable(),
});
export type PriceRequest = z.output<typeof priceRequest>;

const limitsRequest = z.object({ ...limits, version: z.number().int(), before: z.object(limits) });
export type LimitsRequest = z.output<typeof limitsRequest>;

const common = {
  approvalId: uuid,
  state: z.enum(approvalStates),
  customerId: uuid.nullable(),
  operator: z.string().nullable(),
  requestTime: instant,
  expireTime: instant,
  requestedBy: z.object({ userId: uuid, account: z.string() }),
  decidedBy: z.string().nullable(),
  decideTime: instant.nullable(),
  reason: z.string().nullable(),
};
const approval = z.discriminatedUnion('kind', [
  z.object({ ...common, kind: z.literal('ledger'), request: ledgerRequest }),
  z.object({ ...common, kind: z.literal('price'), request: priceRequest }),
  z.object({ ...common, kind: z.literal('limits'), request: limitsRequest }),
]);
export type Approval = z.output<typeof approval>;

const staff = [Role.Operator, Role.Admin] as const;
const admin = [Role.Admin] as const;
const params = z.object({ approvalId: uuid });

export const approvalRouteDefinitions = {
  'GET /approvals': route({
    summary: 'Requests that need a second member of staff, the newest first',
    access: staff,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-requestTime', 'requestTime']).default('-requestTime'),
      state: z.enum(approvalStates).optional(),
    }),
    response: listOf(approval),
  }),
  'POST /approvals/:approvalId/approve': route({
    summary: 'Approve a request of another member of staff; it acts in the same transaction',
    access: staff,
    params,
    answer: 'empty',
    status: 204,
    errors: ['FORBIDDEN', 'APPROVAL_OWN', 'APPROVAL_ENDED', 'CONFLICT', 'PRICE_TAKEN'],
  }),
  'POST /approvals/:approvalId/reject': route({
    summary: 'Reject a request of another member of staff',
    access: staff,
    params,
    body: z.strictObject({ reason: text(200).min(1) }),
    answer: 'empty',
    status: 204,
    errors: ['FORBIDDEN', 'APPROVAL_OWN', 'APPROVAL_ENDED'],
  }),
  'POST /approvals/:approvalId/withdraw': route({
    summary: 'Withdraw a request of your own',
    access: staff,
    params,
    answer: 'empty',
    status: 204,
    errors: ['FORBIDDEN', 'APPROVAL_ENDED'],
  }),
  'GET /approval-limits': route({
    summary: 'Sums above which a second member of staff must approve',
    access: staff,
    response: approvalLimits,
  }),
  'PATCH /approval-limits': route({
    summary: 'Change these sums; raising one is itself a request that another admin approves',
    access: admin,
    body: z.strictObject({ ...limits, version: z.number().int().min(1) }),
    response: approvalLimits,
    errors: ['CONFLICT'],
  }),
};
