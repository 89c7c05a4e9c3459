/** Money that an owner has paid in, and asks staff to add to the balance. */
import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { instant, listOf, money, name, page, text, uuid } from './shapes.ts';

/** Of the receipt's file. */
export const receiptLimitBytes = 2 * 1024 * 1024;
/** Base64 takes four characters for three octets. */
const base64Characters = Math.ceil(receiptLimitBytes / 3) * 4;

const topUpStates = ['pending', 'approved', 'rejected', 'withdrawn'] as const;
/** Pending requests of one customer. */
export const mostPendingTopUps = 20;

const topUp = z.object({
  topUpId: uuid,
  state: z.enum(topUpStates),
  /** As it was asked for, 1/10,000 PHP. */
  amount: money,
  /** As it was entered, 1/10,000 PHP; null: it was not. */
  entered: money.nullable(),
  /** Of the transfer or deposit. */
  reference: z.string(),
  /** Name of the receipt's file; null: there is none. */
  receiptName: z.string().nullable(),
  requestTime: instant,
  /** null: the member was removed. */
  requestedBy: z.string().nullable(),
  decideTime: instant.nullable(),
  /** Why it was rejected. */
  reason: z.string().nullable(),
  customerId: uuid,
  /** Name of the customer; staff only. */
  operator: z.string().nullable().optional(),
  /** Of the second member of staff that a sum above the limit waits for; staff only. */
  approvalId: uuid.nullable().optional(),
});
export type TopUp = z.output<typeof topUp>;

const receipt = z.object({
  name: z.string(),
  type: z.enum(['application/pdf', 'image/png', 'image/jpeg']),
  /** Base64. */
  content: z.string(),
});
export type TopUpReceipt = z.output<typeof receipt>;

const readers = [Role.Owner, Role.Operator, Role.Admin] as const;
const params = z.object({ topUpId: uuid });
const ofCustomer = z.object({ customerId: uuid, topUpId: uuid });
const largest = 1e13;

export const topUpRoutes = {
  'GET /top-ups': route({
    summary: 'Requested top-ups, newest first; for staff over all customers, or of the one named',
    access: readers,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-requestTime', 'requestTime']).default('-requestTime'),
      state: z.enum(topUpStates).optional(),
      customerId: uuid.optional(),
    }),
    response: listOf(topUp),
  }),
  'POST /top-ups': route({
    summary: 'Ask for a top-up of what was paid in, with its reference and the receipt (PDF, PNG or JPEG, 2 MiB)',
    access: [Role.Owner],
    status: 201,
    bodyLimitBytes: base64Characters + 4_096,
    body: z.strictObject({
      /** 1/10,000 PHP. */
      amount: money.min(1).max(largest),
      reference: name(100),
      receipt: z
        .strictObject({
          name: name(200),
          /** Base64. */
          content: z.base64().min(1).max(base64Characters),
        })
        .optional(),
    }),
    response: topUp,
    errors: ['RATE_LIMITED'],
  }),
  'GET /top-ups/:topUpId/receipt': route({
    summary: "The receipt's file",
    access: readers,
    params,
    response: receipt,
  }),
  'POST /top-ups/:topUpId/withdraw': route({
    summary: 'Withdraw a request that was not decided yet',
    access: [Role.Owner],
    params,
    answer: 'empty',
    status: 204,
    errors: ['CONFLICT'],
  }),
  'POST /customers/:customerId/top-ups/:topUpId/approve': route({
    summary: 'Enter the money that arrived; above the limit it stays pending until a second admin approves',
    access: [Role.Admin],
    params: ofCustomer,
    body: z.strictObject({
      /** What arrived, 1/10,000 PHP. */
      amount: money.min(1).max(largest),
    }),
    response: topUp,
    errors: ['CONFLICT'],
  }),
  'POST /customers/:customerId/top-ups/:topUpId/reject': route({
    summary: 'Reject a request; the reason is shown to the customer',
    access: [Role.Operator, Role.Admin],
    params: ofCustomer,
    body: z.strictObject({ reason: text(200).min(1) }),
    answer: 'empty',
    status: 204,
    errors: ['CONFLICT'],
  }),
};
