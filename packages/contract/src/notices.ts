/** Notices of the console, and each user's channels for them. */
import { z } from 'zod';
import { disabledReasons } from './callbacks-values.ts';
import { route } from './route.ts';
import {
  carrier,
  count,
  day,
  instant,
  listOf,
  money,
  page,
  reviewReason,
  smsType,
  taskStatus,
  uuid,
} from './shapes.ts';

export const NoticeKind = {
  taskEnded: 'taskEnded',
  reviewDecided: 'reviewDecided',
  thresholdAlert: 'thresholdAlert',
  balanceLow: 'balanceLow',
  exportReady: 'exportReady',
  memberChanged: 'memberChanged',
  bindDown: 'bindDown',
  callbackDisabled: 'callbackDisabled',
  approvalPending: 'approvalPending',
  topUpDecided: 'topUpDecided',
  dossierDecided: 'dossierDecided',
  approvalEnds: 'approvalEnds',
  abUndecided: 'abUndecided',
} as const;
export type NoticeKind = (typeof NoticeKind)[keyof typeof NoticeKind];

export const thresholdKind = z.enum(['volume', 'quality', 'frequency', 'pumping']);

/** The action of a rule. */
export const thresholdEventKind = z.enum(['alert', 'limit', 'refused', 'slow', 'pause', 'resume', 'over']);

/** What was unusual about an application's traffic. */
export const pumpingFacts = z.object({
  appId: z.string(),
  appName: z.string().nullable(),
  signal: z.enum(['prefix', 'country', 'sequence', 'repeats', 'conversion']),
  /** The first digits of the numbers, or their country; empty for repeated numbers and conversion. */
  key: z.string(),
  /** As many as usual in the same time, at most; of a conversion 1/100 %. Null: the application is new. */
  usual: z.number().nullable(),
});

/**
 * What a threshold measured, and of what: enough to name the event alone. Optional where notices that were written
 * earlier do not have it.
 */
export const thresholdAlertFacts = {
  of: thresholdKind,
  event: thresholdEventKind,
  /** Of a volume: its unit; of quality: what is measured. */
  measure: z.enum(['messages', 'segments', 'cost', 'delivered', 'failed', 'unknown', 'delay']).nullable(),
  period: z.enum(['hour', 'day', 'month']).nullable(),
  /** Of quality and pumping. */
  windowMinutes: count.nullable().optional(),
  value: z.number(),
  bound: z.number(),
  /** Messages that the value was measured of. */
  amount: count.nullable().optional(),
  appId: z.string().nullable(),
  appName: z.string().nullable().optional(),
  areaCode: z.string().nullable().optional(),
  carrier: z.string().nullable().optional(),
  smsType: smsType.nullable().optional(),
  /** Tasks that it paused. */
  paused: count,
  pumping: pumpingFacts.nullable().optional(),
};

/** Facts of each kind: numbers and names, never a text that was sent, never a phone in full. */
export const noticeParams = {
  taskEnded: z.object({
    taskId: uuid,
    taskName: z.string(),
    taskStatus,
    total: count,
    success: count,
    failed: count,
    /** A code of the task catalogue, if it failed. */
    reason: z.string().nullable(),
  }),
  reviewDecided: z.object({
    of: z.enum(['template', 'sender', 'task', 'link']),
    id: uuid,
    title: z.string(),
    approved: z.boolean(),
    reasonCode: reviewReason.nullable(),
  }),
  thresholdAlert: z.object({ thresholdId: uuid, ...thresholdAlertFacts }),
  balanceLow: z.object({ available: money, line: money }),
  exportReady: z.object({
    exportId: z.string().max(60),
    /** The exported data: `records` and the like. */
    of: z.string().max(40),
    fileName: z.string().max(200),
    rows: count,
    /** Download path, relative to the console's own address; null: it failed, or there is nothing to download. */
    path: z
      .string()
      .regex(/^\/(?!\/)/)
      .max(500)
      .nullable(),
  }),
  memberChanged: z.object({
    change: z.enum(['joined', 'role', 'removed']),
    name: z.string(),
    role: z.string(),
    by: z.string().nullable(),
  }),
  bindDown: z.object({ supplierAccount: z.string(), bound: count, wanted: count }),
  callbackDisabled: z.object({
    endpointId: uuid,
    /** Its host, without the path. */
    host: z.string(),
    appId: z.string().nullable(),
    appName: z.string().nullable(),
    reason: z.enum(disabledReasons),
    /** Events that wait for it. */
    waiting: count,
  }),
  /** A staff user requests an action that another must approve. */
  approvalPending: z.object({
    approvalId: uuid,
    of: z.enum(['ledger', 'price', 'limits', 'topUp']),
    account: z.string(),
  }),
  /** Staff have entered the money of a requested top-up, or rejected the request. */
  topUpDecided: z.object({
    topUpId: uuid,
    approved: z.boolean(),
    /** As it was asked for, 1/10,000 PHP. */
    amount: money,
    /** As it was entered, 1/10,000 PHP; null: it was not. */
    entered: money.nullable(),
    /** Of the transfer or deposit. */
    reference: z.string(),
    /** Why it was rejected. */
    reason: z.string().nullable(),
  }),
  /** A carrier approved a sender ID, or it or the staff returned its papers. */
  dossierDecided: z.object({
    /** Of the sender ID. */
    id: uuid,
    senderId: z.string(),
    carrier,
    approved: z.boolean(),
    approvedUntil: day.nullable(),
    /** Why the papers were returned. */
    answer: z.string().nullable(),
  }),
  /** A carrier's approval of a sender ID ends soon, or has ended. */
  approvalEnds: z.object({
    /** Of the sender ID. */
    id: uuid,
    senderId: z.string(),
    carrier,
    approvedUntil: day,
    ended: z.boolean(),
  }),
  /** An A/B test waits for a person to decide. */
  abUndecided: z.object({ taskId: uuid, taskName: z.string() }),
} as const satisfies Record<NoticeKind, z.ZodType>;

export type NoticeParams = { [K in NoticeKind]: z.output<(typeof noticeParams)[K]> };

const common = { noticeId: uuid, time: instant, read: z.boolean() };
const noticeOf = <K extends NoticeKind>(kind: K) =>
  z.object({ ...common, kind: z.literal(kind), params: noticeParams[kind] });

const notice = z.discriminatedUnion('kind', [
  noticeOf('taskEnded'),
  noticeOf('reviewDecided'),
  noticeOf('thresholdAlert'),
  noticeOf('balanceLow'),
  noticeOf('exportReady'),
  noticeOf('memberChanged'),
  noticeOf('bindDown'),
  noticeOf('callbackDisabled'),
  noticeOf('approvalPending'),
  noticeOf('topUpDecided'),
  noticeOf('dossierDecided'),
  noticeOf('approvalEnds'),
  noticeOf('abUndecided'),
]);
export type Notice = z.output<typeof notice>;

const noticeSetting = z.object({ kind: z.enum(NoticeKind), bell: z.boolean(), email: z.boolean() });
export type NoticeSetting = z.output<typeof noticeSetting>;

const unread = z.object({ unread: count });

export const noticeRoutes = {
  'GET /notices': route({
    summary: 'My notifications, newest first',
    access: 'session',
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-time', 'time']).default('-time'),
      kind: z.enum(NoticeKind).optional(),
      unread: z.literal('1').optional(),
    }),
    response: listOf(notice),
    errors: ['CURSOR_INVALID'],
  }),
  'GET /notices/unread': route({
    summary: 'How many of them I have not read',
    access: 'session',
    response: unread,
  }),
  'POST /notices/:noticeId/read': route({
    summary: 'Mark one as read',
    access: 'session',
    params: z.strictObject({ noticeId: uuid }),
    response: unread,
  }),
  'POST /notices/read': route({
    summary: 'Mark all as read, up to the newest that was seen',
    access: 'session',
    body: z.strictObject({ upTo: uuid.optional() }),
    response: unread,
  }),
  'GET /notices/settings': route({
    summary: 'How I am notified of each kind',
    access: 'session',
    response: z.object({ items: z.array(noticeSetting) }),
  }),
  'PUT /notices/settings': route({
    summary: 'Change how I am notified',
    access: 'session',
    body: z.strictObject({ items: z.array(noticeSetting).min(1).max(Object.keys(NoticeKind).length) }),
    response: z.object({ items: z.array(noticeSetting) }),
    errors: [],
  }),
};
