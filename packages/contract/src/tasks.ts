import { z } from 'zod';
import { abTestInput, abTestOfTask, abVariantOfTask, makeAbTestRoutes } from './ab-tests.ts';
import { Role, SendStatus, SmsType, TaskStatus } from './enums.ts';
import { groupsAtOnce } from './groups.ts';
import { quietHours } from './quiet-hours.ts';
import { route } from './route.ts';
import {
  appId,
  carrier,
  clientStatus,
  count,
  idList,
  instant,
  listOf,
  messageId,
  money,
  name,
  numberList,
  ofCustomer,
  page,
  reviewReason,
  sendStatus,
  smsType,
  span,
  taskStatus,
  uuid,
  version,
  yesNo,
} from './shapes.ts';

/** Which column fills which variable: `variables[0]` is the column index of {1}. */
const taskMapping = z.strictObject({
  variables: z.array(z.number().int().min(0).max(255)).max(99),
  /** The same for members of groups: the name of the value that fills {1}, and so on. */
  groupVariables: z.array(z.string().max(30)).max(99).optional(),
});

export const task = z.object({
  taskId: uuid,
  taskName: z.string(),
  /** Null while a draft has none. */
  smsType: smsType.nullable(),
  planFlag: yesNo,
  planTime: instant.nullable(),
  latestStartTime: instant.nullable(),
  taskStatus,
  paused: yesNo,
  /** Catalogue-like code why the task is paused, held, failed or rejected; text of a reviewer in `statusNote`. */
  statusReason: z.string().nullable(),
  /** Hours of the Manila day between which marketing of the customer waits; null: it is sent at any hour. */
  quietHours: quietHours.nullable(),
  statusNote: z.string().nullable(),
  /** While rejected: why a reviewer did, and the place in the text. */
  auditCode: reviewReason.optional(),
  auditSpan: span.optional(),
  appId: appId.nullable(),
  appName: z.string().nullable(),
  templateId: uuid.nullable(),
  templateName: z.string().nullable(),
  senderId: z.string().nullable(),
  mobileFile: z.object({ fileId: uuid, fileName: z.string(), validCount: count }).nullable(),
  /** Groups it is sent to, in addition to or instead of a file; `memberCount` is the current count. */
  groups: z.array(z.object({ groupId: uuid, groupName: z.string(), memberCount: count })),
  mapping: taskMapping.nullable(),
  totalCount: count,
  successCount: count,
  failedCount: count,
  deliveredCount: count,
  undeliveredCount: count,
  unknownCount: count,
  /** In doubt: handed over, outcome unknown. */
  unconfirmedCount: count,
  retryCount: count,
  /** Share of recipients whose carrier request has an outcome, 0 to 100. */
  progress: z.number(),
  estimatedSegments: count.nullable(),
  estimatedCost: money.nullable(),
  chargedCost: money,
  version,
  createTime: instant,
  startTime: instant.nullable(),
  endTime: instant.nullable(),
  /** Its variants, sent before the others; null: it has no A/B test. */
  abTest: abTestOfTask.nullable(),
  /** Not null: it sends one variant of the A/B test of another task. */
  abVariant: abVariantOfTask.nullable(),
  operator: z.string().optional(),
});
export type Task = z.output<typeof task>;

const taskDetail = task.extend({
  /** Text that is sent: frozen when the task is confirmed, the template's until then. */
  content: z.string().nullable(),
  /** Result of processing the file: rows, and why some are not recipients. */
  file: z
    .object({ totalRows: count, validCount: count, duplicateCount: count, rejectedCount: count, optedOutCount: count })
    .nullable(),
  /**
   * For a task to groups: its recipients as combined when it was checked; later changes to the groups do not affect
   * them. `duplicateCount` counts numbers that occurred in more than one place.
   */
  audience: z.object({ frozenTime: instant, fileCount: count, memberCount: count, duplicateCount: count }).nullable(),
  /** While under review: when a decision may be expected, by the review hours. */
  expectedTime: instant.nullable(),
  /** While confirmed: until when it waits, to be taken back; null: it does not wait, or starts at its planTime. */
  graceEndTime: instant.nullable(),
  /** Progress of the check while the task is being checked; null in every other status. */
  check: z
    .object({
      rowsRead: count,
      /** Null until the recipients are put together. */
      totalRows: count.nullable(),
      /** At the pace so far; null until it can be estimated. */
      remainingSeconds: count.nullable(),
      /** True while other tasks are checked first. */
      isWaiting: z.boolean(),
    })
    .nullable(),
  /** Rows dropped because of this task's template: missing values, links in values. */
  droppedCount: count,
  /** Left out of marketing because their consent is not in force. */
  noConsentCount: count,
  /** Carriers whose recipients are left out, and how many they are. */
  leaveOutCarriers: z.array(z.string()),
  leftOutCount: count,
  price: money.nullable(),
  chargedSegments: count,
  reservedCost: money,
  /** Messages per second over the last ten seconds. */
  rate: z.number(),
  /** Handed over at this moment: written to a carrier, and not yet answered. */
  inFlightCount: count,
  /** In doubt for longer than a receipt may take: what `resend` sends again. */
  resendableCount: count,
  timeline: z.array(
    z.object({
      time: instant,
      /** Status entered, or null for a pause, a resume or a test. */
      taskStatus: taskStatus.nullable(),
      action: z.string(),
      by: z.string().nullable(),
      note: z.string().nullable(),
    }),
  ),
});
export type TaskDetail = z.output<typeof taskDetail>;

/** Of a task that runs: its status and its counts. */
export const runningFields = {
  taskId: true,
  taskStatus: true,
  paused: true,
  totalCount: true,
  successCount: true,
  failedCount: true,
  deliveredCount: true,
  undeliveredCount: true,
  unknownCount: true,
  unconfirmedCount: true,
  progress: true,
} as const;

/** What moves while a task runs; sent by the event streams. */
export const taskProgress = task.pick({ ...runningFields, statusReason: true, chargedCost: true }).extend({
  rate: z.number(),
  /** In the stream of one task alone. */
  inFlightCount: count.optional(),
});
export type TaskProgress = z.output<typeof taskProgress>;

const sendDetail = z.object({
  messageId,
  mobileNumber: z.string(),
  sendStatus,
  clientStatus,
  /** Stable code; the console shows it in the viewer's language. */
  dealResult: z.string(),
  /** The carrier's own code, if there is one. */
  carrierCode: z.string().nullable(),
  sendTime: instant.nullable(),
  reportTime: instant.nullable(),
  pkgTotal: count,
});
export type SendDetail = z.output<typeof sendDetail>;

const sendLog = z.object({
  sendTime: instant,
  totalCount: count,
  successCount: count,
  failedCount: count,
});
export type SendLog = z.output<typeof sendLog>;

const params = z.object({ taskId: uuid });
/** Stable code of a message's outcome. */
const dealResult = z.string().regex(/^[A-Z][A-Z_]{1,39}$/);
const readers = [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const;
const writers = [Role.Owner, Role.Member] as const;
const stoppers = [Role.Owner, Role.Member, Role.Operator, Role.Admin] as const;

/** Everything is optional: a draft may be incomplete; submit reports what is missing. */
const fields = {
  taskName: name(60),
  appId: appId.nullable(),
  smsType,
  templateId: uuid.nullable(),
  senderId: z.string().trim().max(20).nullable(),
  fileId: uuid.nullable(),
  groupIds: z
    .array(uuid)
    .max(groupsAtOnce)
    .refine((ids) => new Set(ids).size === ids.length),
  mapping: taskMapping.nullable(),
  planFlag: yesNo,
  planTime: instant.nullable(),
  latestStartTime: instant.nullable(),
  abTest: abTestInput.nullable(),
};

const act = (summary: string, access: readonly Role[] = writers) => ({ summary, access, params, response: task });

export const taskRoutes = {
  'GET /tasks': route({
    summary: 'Bulk tasks',
    access: readers,
    byCustomer: true,
    csv: true,
    query: z.strictObject({
      ...page,
      ...ofCustomer,
      search: z.string().trim().max(100).optional(),
      taskStatus: numberList(TaskStatus).optional(),
      smsType: numberList(SmsType).optional(),
      appId: appId.optional(),
      from: instant.optional(),
      to: instant.optional(),
      /** Only these, of up to a page. */
      ids: idList(uuid).optional(),
      sort: z.enum(['-createTime', 'createTime']).default('-createTime'),
    }),
    response: listOf(task),
  }),
  'POST /tasks': route({
    summary: 'Create a task; `draft: true` only stores it',
    access: writers,
    status: 201,
    body: z.strictObject({
      taskName: fields.taskName,
      appId: fields.appId.optional(),
      smsType: fields.smsType.optional(),
      templateId: fields.templateId.optional(),
      senderId: fields.senderId.optional(),
      fileId: fields.fileId.optional(),
      groupIds: fields.groupIds.optional(),
      mapping: fields.mapping.optional(),
      planFlag: fields.planFlag.default(0),
      planTime: fields.planTime.optional(),
      latestStartTime: fields.latestStartTime.optional(),
      abTest: fields.abTest.optional(),
      draft: z.boolean().default(false),
    }),
    response: task,
    errors: [
      'APP_NOT_FOUND',
      'APP_DISABLED',
      'TEMPLATE_NOT_FOUND',
      'AB_NEEDS_LINK',
      'TEMPLATE_NOT_SENDABLE',
      'TEMPLATE_TYPE_MISMATCH',
      'LINK_NOT_APPROVED',
      'LINK_NOT_USABLE',
      'SENDER_NOT_SENDABLE',
      'FILE_NOT_FOUND',
      'FILE_NOT_USABLE',
      'FILE_PROCESSING',
      'GROUP_NOT_FOUND',
      'GROUP_BUSY',
      'GROUP_EMPTY',
      'TASK_INCOMPLETE',
      'PLAN_TIME_REQUIRED',
      'PLAN_TIME_PAST',
      'TASK_TOO_LATE',
      'MAPPING_INVALID',
      'IDEMPOTENCY_KEY_REUSED',
    ],
  }),
  'GET /tasks/events': route({
    summary: 'Live progress of running tasks',
    access: readers,
    answer: 'events',
    response: taskProgress,
  }),
  'GET /tasks/:taskId': route({ summary: 'One task', access: readers, params, response: taskDetail }),
  'PATCH /tasks/:taskId': route({
    summary: 'Edit: returns the task to draft where its status allows',
    access: writers,
    params,
    body: z
      .strictObject({
        ...fields,
        /** Their recipients are left out; the task is checked again. */
        leaveOutCarriers: z.array(carrier).max(20),
        version,
      })
      .partial(),
    response: task,
    errors: [
      'TASK_TRANSITION',
      'APP_NOT_FOUND',
      'TEMPLATE_NOT_FOUND',
      'FILE_NOT_FOUND',
      'GROUP_NOT_FOUND',
      'VERSION_CONFLICT',
    ],
  }),
  'DELETE /tasks/:taskId': route({
    summary: 'Delete a draft',
    access: writers,
    params,
    answer: 'empty',
    status: 204,
    errors: ['TASK_TRANSITION'],
  }),
  'POST /tasks/:taskId/submit': route({
    ...act('Submit a draft for checking'),
    errors: [
      'TASK_TRANSITION',
      'TASK_INCOMPLETE',
      'APP_DISABLED',
      'AB_NEEDS_LINK',
      'TEMPLATE_NOT_SENDABLE',
      'TEMPLATE_TYPE_MISMATCH',
      'TEMPLATE_NOT_FOUND',
      'LINK_NOT_APPROVED',
      'LINK_NOT_USABLE',
      'SENDER_NOT_SENDABLE',
      'SENDER_REQUIRED',
      'FILE_NOT_USABLE',
      'FILE_PROCESSING',
      'GROUP_NOT_FOUND',
      'GROUP_BUSY',
      'GROUP_EMPTY',
      'PLAN_TIME_REQUIRED',
      'PLAN_TIME_PAST',
      'TASK_TOO_LATE',
      'MAPPING_INVALID',
    ],
  }),
  'POST /tasks/:taskId/confirm': route({
    ...act('Confirm: reserves the cost; reviewed where policy asks for it'),
    body: z
      .strictObject({
        /** Before it starts, where it has no planTime and needs no review. */
        graceSeconds: z.number().int().min(0).max(60).default(0),
      })
      .nullish(),
    errors: [
      'TASK_TRANSITION',
      'BALANCE_TOO_LOW',
      'NO_RECIPIENTS',
      'AB_NEEDS_LINK',
      'TEMPLATE_NOT_SENDABLE',
      'TEMPLATE_TYPE_MISMATCH',
      'TEMPLATE_NOT_FOUND',
      'LINK_NOT_APPROVED',
      'LINK_NOT_USABLE',
      'SENDER_NOT_SENDABLE',
      'APP_DISABLED',
      'CUSTOMER_SUSPENDED',
      'PLAN_TIME_PAST',
      'TASK_TOO_LATE',
      'NO_ROUTE',
    ],
  }),
  ...makeAbTestRoutes(task),
  'POST /tasks/:taskId/copy': route({
    summary: 'Copy a task as a draft, with its file and groups',
    access: writers,
    params,
    status: 201,
    body: z.strictObject({ taskName: fields.taskName }),
    response: task,
    errors: ['IDEMPOTENCY_KEY_REUSED'],
  }),
  'POST /tasks/:taskId/cancel': route({ ...act('Cancel before it starts'), errors: ['TASK_TRANSITION'] }),
  'POST /tasks/:taskId/terminate': route({
    ...act('Stop for good: the rest is not sent and not charged', stoppers),
    errors: ['TASK_TRANSITION'],
  }),
  'POST /tasks/:taskId/pause': route({ ...act('Pause', stoppers), errors: ['TASK_TRANSITION'] }),
  'POST /tasks/:taskId/resume': route({
    ...act('Resume; what staff paused, staff resume', stoppers),
    errors: ['TASK_TRANSITION', 'TASK_HELD_BY_STAFF'],
  }),
  'POST /tasks/:taskId/retry': route({
    ...act('Send again to failed recipients, or those with chosen results; never to opted-out or invalid ones'),
    body: z
      .strictObject({
        /** Results as send detail has them; left out: all that may be repeated. */
        dealResults: z.array(dealResult).min(1).max(30).optional(),
      })
      .nullish(),
    errors: [
      'TASK_TRANSITION',
      'NOTHING_TO_RETRY',
      'LINK_NOT_APPROVED',
      'LINK_NOT_USABLE',
      'BALANCE_TOO_LOW',
      'APP_DISABLED',
      'CUSTOMER_SUSPENDED',
    ],
  }),
  'POST /tasks/:taskId/resend': route({
    ...act('Send again to recipients in doubt whose receipt is overdue'),
    errors: [
      'TASK_TRANSITION',
      'NOTHING_TO_RETRY',
      'LINK_NOT_APPROVED',
      'LINK_NOT_USABLE',
      'BALANCE_TOO_LOW',
      'APP_DISABLED',
      'CUSTOMER_SUSPENDED',
    ],
  }),
  'POST /tasks/:taskId/test': route({
    summary: 'Send a test message with the first row or given values',
    access: writers,
    params,
    status: 202,
    body: z.strictObject({
      mobileNumber: z.string().trim().min(1).max(30),
      variables: z.array(z.string().max(500)).max(99).optional(),
    }),
    response: z.object({ messageId, pkgTotal: count }),
    errors: [
      'MOBILE_NUMBER_INVALID',
      'TASK_INCOMPLETE',
      'TEMPLATE_NOT_SENDABLE',
      'LINK_NOT_APPROVED',
      'LINK_NOT_USABLE',
      'SENDER_NOT_SENDABLE',
      'BALANCE_TOO_LOW',
      'NO_ROUTE',
      'APP_DISABLED',
      'CUSTOMER_SUSPENDED',
      'VALUES_MISSING',
    ],
  }),
  'GET /tasks/:taskId/details': route({
    summary: 'Send detail: one row per recipient',
    access: readers,
    params,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['messageId']).optional(),
      mobileNumber: z.string().trim().max(20).optional(),
      sendStatus: numberList(SendStatus).optional(),
      clientStatus: z
        .string()
        .regex(/^\d(,\d){0,7}$/)
        .transform((list) => list.split(',').map(Number))
        .optional(),
      /** Codes of results, `EXPIRED,CARRIER_FAULT`. */
      dealResult: z
        .string()
        .regex(/^[A-Z_]{1,40}(,[A-Z_]{1,40}){0,29}$/)
        .transform((list) => list.split(','))
        .optional(),
    }),
    response: listOf(sendDetail),
  }),
  'GET /tasks/:taskId/log': route({
    summary: 'Send log by minute, newest first',
    access: readers,
    params,
    csv: true,
    query: z.strictObject({ ...page, sort: z.enum(['-sendTime', 'sendTime']).default('-sendTime') }),
    response: listOf(sendLog),
  }),
  'GET /tasks/:taskId/rejects': route({
    summary: 'Rows of the file that are not recipients, with the reason',
    access: writers,
    params,
    query: z.strictObject({ lang: z.enum(['zh-CN', 'en-US']).default('en-US') }),
    answer: 'csv',
  }),
  'GET /tasks/:taskId/events': route({
    summary: 'Live progress of one task',
    access: readers,
    params,
    answer: 'events',
    response: taskProgress,
  }),
};
