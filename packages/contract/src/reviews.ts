import { z } from 'zod';
import { AuditStatus, Role } from './enums.ts';
import { route } from './route.ts';
import { appId, auditStatus, count, instant, listOf, money, numberList, page, smsType, text, uuid } from './shapes.ts';

const finding = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  from: count,
  to: count,
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});

export const reviewItem = z.object({
  kind: z.enum(['template', 'sender', 'task']),
  id: uuid,
  /** Template name, sender ID or task name. */
  title: z.string(),
  operator: z.string(),
  customerId: uuid,
  appId,
  appName: z.string(),
  smsType: smsType.nullable(),
  auditStatus,
  auditReason: z.string().nullable(),
  submitTime: instant,
  expectedTime: instant,
  submittedBy: z.string(),
  /** Text to be read: of the template version or the task. */
  content: z.string().nullable(),
  /** Text of the version approved before, for comparison. */
  previousContent: z.string().nullable(),
  findings: z.array(finding),
  version: count.nullable(),
  totalCount: count.nullable(),
  estimatedCost: money.nullable(),
  senderId: z.string().nullable(),
});
export type ReviewItem = z.output<typeof reviewItem>;

const staff = [Role.Reviewer, Role.Operator, Role.Admin] as const;
const params = z.object({ kind: z.enum(['templates', 'senders', 'tasks']), id: uuid });

export const reviewRoutes = {
  'GET /reviews': route({
    summary: 'What waits for a reviewer, oldest first; or what was decided',
    access: staff,
    query: z.strictObject({
      ...page,
      kind: z.enum(['template', 'sender', 'task']).optional(),
      auditStatus: numberList(AuditStatus).optional(),
    }),
    response: listOf(reviewItem),
  }),
  'POST /reviews/:kind/:id/approve': route({
    summary: 'Approve',
    access: staff,
    params,
    body: z.strictObject({ version: count.optional() }).default({}),
    answer: 'empty',
    status: 204,
    errors: ['ALREADY_REVIEWED', 'TASK_TRANSITION', 'BALANCE_TOO_LOW'],
  }),
  'POST /reviews/:kind/:id/reject': route({
    summary: 'Reject with a reason that the customer reads',
    access: staff,
    params,
    body: z.strictObject({ reason: text(500).min(1), version: count.optional() }),
    answer: 'empty',
    status: 204,
    errors: ['ALREADY_REVIEWED', 'REASON_REQUIRED', 'TASK_TRANSITION'],
  }),
};
