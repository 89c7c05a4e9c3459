import { z } from 'zod';
import {
  accountRequestChannels,
  accountRequestStates,
  accountRequestUses,
  accountRequestVolumes,
} from './account-requests-values.ts';
import { ReviewPolicy, Role } from './enums.ts';
import { route } from './route.ts';
import { day, instant, listOf, name, optionalLine, page, text, uuid, workTicket } from './shapes.ts';

const uses = z.array(z.enum(accountRequestUses));
const monthlyVolume = z.enum(accountRequestVolumes);
const channels = z.array(z.enum(accountRequestChannels));
const locale = z.enum(['zh-CN', 'en-US']);

const accountRequest = z.object({
  accountRequestId: uuid,
  /** `unconfirmed`: the link in the mail to the address was not opened yet. */
  state: z.enum(accountRequestStates),
  requestTime: instant,
  name: z.string(),
  company: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  /** What the visitor wants to send. */
  uses,
  monthlyVolume,
  /** How the visitor wants to send it; empty: not said. */
  channels,
  /** The name that messages should show. */
  senderId: z.string().nullable(),
  /** By when the first message should go. */
  firstMessageDay: day.nullable(),
  message: z.string().nullable(),
  /** Of the page it was written on. */
  locale,
  /** When the link in the mail was opened. */
  confirmTime: instant.nullable(),
  decideTime: instant.nullable(),
  /** Name of the member of staff; null: not decided, or the member was removed. */
  decidedBy: z.string().nullable(),
  /** Why it was rejected, as it was mailed. */
  reason: z.string().nullable(),
  /** The customer that was added for it. */
  openedCustomerId: uuid.nullable(),
});
export type AccountRequest = z.output<typeof accountRequest>;

const params = z.strictObject({ accountRequestId: uuid });
const unique = (values: readonly unknown[]) => new Set(values).size === values.length;

const readers = [Role.Operator, Role.Admin] as const;
/** As for adding a customer. */
const deciders = [Role.Admin] as const;

export const accountRequestRoutes = {
  'POST /account-requests/ticket': route({
    summary: 'Before a request for an account: a ticket that opens one call, and the work that makes it count',
    access: 'public',
    response: workTicket,
    errors: ['RATE_LIMITED'],
  }),
  'POST /account-requests': route({
    summary: 'A visitor requests an account; a link that confirms the address is mailed to it',
    access: 'public',
    body: z.strictObject({
      name: name(100),
      company: name(100),
      email: z.string().trim().min(1).max(254),
      phone: optionalLine(40),
      uses: uses.min(1).max(accountRequestUses.length).refine(unique),
      monthlyVolume,
      channels: channels.max(accountRequestChannels.length).refine(unique).default([]),
      senderId: optionalLine(20),
      firstMessageDay: z.union([z.literal(''), day]).optional(),
      message: text(2_000).optional(),
      locale,
      /** Agrees that the request is stored and read by the staff. */
      consent: z.literal(true),
      /** People do not see this field; what fills it in is a program. */
      website: z.string().max(500).optional(),
      ticket: z.string().min(1).max(120),
      proof: z.string().min(1).max(40),
    }),
    answer: 'empty',
    status: 204,
    errors: ['RATE_LIMITED', 'CAPTCHA_FAILED'],
  }),
  'POST /account-requests/confirm': route({
    summary: 'A visitor confirms the address of a request by the link in the mail; a second time changes nothing',
    access: 'public',
    body: z.strictObject({ token: z.string().min(1).max(100) }),
    answer: 'empty',
    status: 204,
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
  }),
  'GET /account-requests': route({
    summary: 'Requests for an account, newest first; those whose address is not confirmed only if they are asked for',
    access: readers,
    csv: true,
    query: z.strictObject({
      ...page,
      state: z.enum(accountRequestStates).optional(),
      search: z.string().trim().max(100).optional(),
      sort: z.enum(['-requestTime', 'requestTime']).default('-requestTime'),
    }),
    response: listOf(accountRequest),
    errors: ['CURSOR_INVALID'],
  }),
  'GET /account-requests/:accountRequestId': route({
    summary: 'One request for an account',
    access: readers,
    params,
    response: accountRequest,
  }),
  'POST /account-requests/:accountRequestId/approve': route({
    summary: 'Add the customer, and invite the person that asked as its owner by email',
    access: deciders,
    params,
    body: z.strictObject({
      customerName: name(100),
      reviewPolicy: z.enum(ReviewPolicy).exclude(['AboveCount']).default(ReviewPolicy.FirstTask),
    }),
    response: z.object({ customerId: uuid }),
    errors: ['CONFLICT', 'CUSTOMER_NAME_TAKEN', 'EMAIL_TAKEN'],
  }),
  'POST /account-requests/:accountRequestId/reject': route({
    summary: 'Decline a request; the reason is mailed to the person that asked, if the address is confirmed',
    access: deciders,
    params,
    body: z.strictObject({ reason: text(500).min(1) }),
    answer: 'empty',
    status: 204,
    errors: ['CONFLICT'],
  }),
};
