import { z } from 'zod';
import { AuditStatus, Role } from './enums.ts';
import { route } from './route.ts';
import {
  appId,
  areaCode,
  auditStatus,
  carrier,
  instant,
  listOf,
  numberList,
  ofCustomer,
  page,
  reviewDelay,
  reviewReason,
  text,
  useState,
  uuid,
} from './shapes.ts';

const sender = z.object({
  id: uuid,
  /** The name shown as source address. */
  senderId: z.string(),
  areaCode: z.string(),
  appId,
  appName: z.string(),
  useState,
  auditStatus,
  auditReason: z.string().nullable(),
  auditCode: reviewReason.nullable(),
  auditTime: instant.nullable(),
  operateTime: instant,
  /** Registration with each carrier; the audit status is the summary. */
  carriers: z.array(z.object({ carrier, auditStatus })),
  remarkInfo: z.string(),
  expectedTime: instant.nullable(),
  expectedDelay: reviewDelay.nullable(),
  operator: z.string().optional(),
});
export type Sender = z.output<typeof sender>;

const params = z.object({ id: uuid });
const readers = [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const;
const writers = [Role.Owner, Role.Member] as const;

export const senderRoutes = {
  'GET /senders': route({
    summary: 'Sender IDs',
    access: readers,
    byCustomer: true,
    csv: true,
    query: z.strictObject({
      ...page,
      ...ofCustomer,
      search: z.string().trim().max(100).optional(),
      appId: appId.optional(),
      auditStatus: numberList(AuditStatus).optional(),
      useState: z.enum(['0', '1']).optional(),
      sendable: z.enum(['1']).optional(),
      sort: z.enum(['-operateTime', 'operateTime', 'senderId']).default('-operateTime'),
    }),
    response: listOf(sender),
  }),
  'POST /senders': route({
    summary: 'Register a sender ID',
    access: writers,
    status: 201,
    body: z.strictObject({
      appId,
      areaCode,
      senderId: z.string().trim().min(1).max(20),
      remarkInfo: text(200).default(''),
    }),
    response: sender,
    errors: ['SENDER_ID_INVALID', 'SENDER_ID_TAKEN', 'APP_NOT_FOUND', 'APP_DISABLED'],
  }),
  'GET /senders/:id': route({ summary: 'One sender ID', access: readers, params, response: sender }),
  'POST /senders/:id/enable': route({ summary: 'Enable a sender ID', access: writers, params, response: sender }),
  'POST /senders/:id/disable': route({ summary: 'Disable a sender ID', access: writers, params, response: sender }),
  'PUT /reviews/senders/:id/carriers': route({
    summary: 'Say how far the registration with one carrier is; the sender ID’s own audit status stays the summary',
    access: [Role.Reviewer, Role.Operator, Role.Admin],
    params,
    body: z.strictObject({ carrier, auditStatus }),
    response: sender,
  }),
};
