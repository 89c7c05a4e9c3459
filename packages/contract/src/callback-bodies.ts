/** Bodies of callbacks, for the `webhooks` of the OpenAPI document. */
import { z } from 'zod';
import type { CallbackType } from './callbacks-values.ts';
import { Carrier } from './enums.ts';
import { thresholdAlertFacts } from './notices.ts';
import {
  appId,
  auditStatus,
  clientStatus,
  count,
  instant,
  messageId,
  money,
  reviewReason,
  smsType,
  taskStatus,
  uuid,
} from './shapes.ts';

interface CallbackBody {
  readonly summary: string;
  readonly data: z.ZodObject;
  readonly example: object;
}

const app = 'app4kz7w2qxmd';
const id = '01a2216f-c362-7692-951e-14e2c0b28dbd';
const review = {
  auditStatus,
  /** Why it was rejected. */
  reasonCode: reviewReason.nullable(),
  /** The reviewer's own text. */
  reason: z.string().nullable(),
};

const messageStatus = z.object({
  messageId,
  /** Place among the events of the message, from 1. */
  sequence: count,
  /** Null, as what follows to `mobileNumber`, if the message is no longer stored. */
  appId: appId.nullable(),
  taskId: uuid.nullable(),
  smsType: smsType.nullable(),
  /** The sender ID. */
  clientSid: z.string().nullable(),
  mobileNumber: z.string().nullable(),
  clientStatus,
  dealResult: z.string().nullable(),
  carrierCode: z.string().nullable(),
  /** Segments. */
  pkgTotal: count.nullable(),
  requestTime: instant,
  submitTime: instant.nullable(),
  receiptTime: instant.nullable(),
});

const messageInbound = z.object({
  inboundId: uuid,
  appId: appId.nullable(),
  taskId: uuid.nullable(),
  /** The message that it replies to. */
  messageId: messageId.nullable(),
  mobileNumber: z.string().nullable(),
  /** The number that it was sent to. */
  destination: z.string().nullable(),
  content: z.string().nullable(),
  isOptOut: z.boolean().nullable(),
  receiveTime: instant.nullable(),
});

export const callbackBodies: Record<CallbackType, CallbackBody> = {
  'message.status': {
    summary: 'A message reached a state that reports its outcome',
    data: messageStatus,
    example: {
      ...{ messageId: '123456789012345678', sequence: 1, appId: app, taskId: null, smsType: 2, clientSid: 'SARISARI' },
      ...{
        mobileNumber: '639171234567',
        clientStatus: 2,
        dealResult: 'DELIVERED',
        carrierCode: 'DELIVRD',
        pkgTotal: 1,
      },
      requestTime: '2026-11-22T01:01:58.000Z',
      submitTime: '2026-11-22T01:01:58.210Z',
      receiptTime: '2026-11-22T01:02:03.000Z',
    },
  },
  'message.inbound': {
    summary: 'A phone replied to a message',
    data: messageInbound,
    example: {
      ...{ inboundId: id, appId: app, taskId: null, messageId: '123456789012345678', mobileNumber: '639171234567' },
      ...{ destination: '2345', content: 'Yes please', isOptOut: false, receiveTime: '2026-11-22T01:05:00.000Z' },
    },
  },
  'task.status': {
    summary: 'A task reached a status',
    data: z.object({
      taskId: uuid,
      taskName: z.string(),
      appId: appId.nullable(),
      smsType: smsType.nullable(),
      taskStatus,
      /** Why it failed or is held: a code. */
      reason: z.string().nullable(),
      /** Recipients, and how many of them have a message that was delivered or failed so far. */
      total: count,
      success: count,
      failed: count,
    }),
    example: {
      ...{ taskId: id, taskName: 'November', appId: app, smsType: 3, taskStatus: 6, reason: null },
      ...{ total: 1_000, success: 990, failed: 10 },
    },
  },
  'template.status': {
    summary: 'A template was reviewed',
    data: z.object({ templateId: uuid, templateName: z.string(), appId, version: count, ...review }),
    example: {
      ...{ templateId: id, templateName: 'Order shipped', appId: app, version: 2 },
      ...{ auditStatus: 1, reasonCode: null, reason: null },
    },
  },
  'sender.status': {
    summary: 'A sender ID was reviewed, or its registration with a carrier changed',
    data: z.object({
      id: uuid,
      senderId: z.string(),
      appId,
      areaCode: z.string(),
      ...review,
      carriers: z.array(z.object({ carrier: z.enum(Carrier), auditStatus })),
    }),
    example: {
      ...{ id, senderId: 'SARISARI', appId: app, areaCode: 'PH', auditStatus: 1, reasonCode: null, reason: null },
      carriers: [{ carrier: 'Globe', auditStatus: 1 }],
    },
  },
  'balance.status': {
    summary: 'The available balance fell below its line, or is above it again',
    data: z.object({ isLow: z.boolean(), available: money, line: money }),
    example: { isLow: true, available: 9_500_000, line: 10_000_000 },
  },
  alert: {
    summary: 'A threshold alerted, limited, rejected, slowed or paused; once within its silence time',
    data: z.object({ thresholdId: uuid, ...thresholdAlertFacts }),
    example: {
      ...{ thresholdId: id, of: 'volume', event: 'alert', measure: 'messages', period: 'day', windowMinutes: null },
      ...{ value: 81, bound: 80, amount: null, appId: null, appName: null, areaCode: null, carrier: null },
      ...{ smsType: null, paused: 0 },
    },
  },
  test: {
    summary: 'The address is new, or a user requested a test: respond with the challenge',
    data: z.object({ challenge: z.string() }),
    example: { challenge: 'vXo0cYq1m9l7n6bT3sQe2wRa' },
  },
};

/** One event as the body of a request; in an array it has an `id` as well. */
export const callbackEventOf = (type: CallbackType) =>
  z.object({
    type: z.literal(type),
    timestamp: instant,
    /** Of a message that was sent with a test key; else it is missing. */
    test: z.literal(true).optional(),
    data: callbackBodies[type].data,
  });
