import { z } from 'zod';
import { AuditStatus, Role, SmsType } from './enums.ts';
import { prohibitedTerm } from './reviews.ts';
import { route } from './route.ts';
import {
  appId,
  auditStatus,
  count,
  instant,
  listOf,
  name,
  numberList,
  ofCustomer,
  page,
  reviewDelay,
  reviewReason,
  smsType,
  span,
  uuid,
  version,
} from './shapes.ts';
import { templateUsage } from './usage.ts';

const template = z.object({
  templateId: uuid,
  templateName: z.string(),
  smsType,
  /** Text of the newest version. */
  content: z.string(),
  /** Of the newest version. */
  auditStatus,
  auditReason: z.string().nullable(),
  /** Why it was rejected; `auditReason` is what the reviewer added. */
  auditCode: reviewReason.nullable(),
  /** The place in the text that the rejection is about. */
  auditSpan: span.nullable(),
  appId,
  appName: z.string(),
  /** Of the text: a new text or type is a new version, a new name is not. */
  version: count,
  /** Counts every save, of the name too; sent back with a change. */
  editVersion: version,
  /** The version currently used for sending; null if none may be used. */
  servingVersion: count.nullable(),
  variableCount: count,
  createTime: instant,
  updateTime: instant,
  /** While pending: when a decision may be expected, by the review hours. */
  expectedTime: instant.nullable(),
  expectedDelay: reviewDelay.nullable(),
  /** In lists and of one template alone. */
  usage: templateUsage.optional(),
  /** Customer's name; staff only. */
  operator: z.string().optional(),
});
export type Template = z.output<typeof template>;

const templateVersion = z.object({
  version: count,
  content: z.string(),
  smsType,
  auditStatus,
  auditReason: z.string().nullable(),
  auditCode: reviewReason.nullable(),
  auditSpan: span.nullable(),
  auditTime: instant.nullable(),
  createTime: instant,
  createdBy: z.string(),
});
export type TemplateVersion = z.output<typeof templateVersion>;

const params = z.object({ templateId: uuid });
const body = z.strictObject({
  templateName: name(50),
  smsType,
  appId,
  /** Rules decide on the text itself; the bound here only keeps the body small. */
  content: z.string().max(4000),
});
const readers = [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const;
const writers = [Role.Owner, Role.Member] as const;

export const templateRoutes = {
  'GET /templates': route({
    summary: 'Templates',
    access: readers,
    byCustomer: true,
    csv: true,
    query: z.strictObject({
      ...page,
      ...ofCustomer,
      search: z.string().trim().max(100).optional(),
      appId: appId.optional(),
      smsType: numberList(SmsType).optional(),
      auditStatus: numberList(AuditStatus).optional(),
      /** `1`: only those that may send now. */
      sendable: z.enum(['1']).optional(),
      sort: z.enum(['-updateTime', 'updateTime', 'templateName']).default('-updateTime'),
    }),
    response: listOf(template),
  }),
  'POST /templates': route({
    summary: 'Add a template; it waits for review unless exempted',
    access: writers,
    status: 201,
    body,
    response: template,
    errors: [
      'TEMPLATE_CONTENT_INVALID',
      'TEMPLATE_NAME_TAKEN',
      'LINK_NOT_APPROVED',
      'LINK_NOT_USABLE',
      'APP_NOT_FOUND',
      'APP_DISABLED',
    ],
  }),
  'GET /templates/rules': route({
    summary: 'What the rules of texts go by besides the text: the editor applies the same as the server',
    access: readers,
    response: z.object({
      /** Number to which recipients can text if the sender ID can’t receive replies; null if replies arrive. */
      optOutNumber: z.string().nullable(),
      prohibited: z.array(prohibitedTerm),
    }),
  }),
  'GET /templates/:templateId': route({
    summary: 'One template with its versions, newest first',
    access: readers,
    params,
    response: template.extend({ versions: z.array(templateVersion) }),
  }),
  'PATCH /templates/:templateId': route({
    summary: 'Edit: new text or type makes a new version and restarts approval; the approved one goes on serving',
    access: writers,
    params,
    body: body.omit({ appId: true }).partial().extend({
      editVersion: version.optional(),
      /** Version of the text: refused only if the text or the type has changed since. */
      version: version.optional(),
    }),
    response: template,
    errors: [
      'TEMPLATE_CONTENT_INVALID',
      'TEMPLATE_NAME_TAKEN',
      'LINK_NOT_APPROVED',
      'LINK_NOT_USABLE',
      'VERSION_CONFLICT',
    ],
  }),
  'DELETE /templates/:templateId': route({
    summary: 'Delete a template that no waiting task uses',
    access: writers,
    params,
    answer: 'empty',
    status: 204,
    errors: ['TEMPLATE_IN_USE'],
  }),
};
