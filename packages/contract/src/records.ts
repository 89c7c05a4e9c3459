import { z } from 'zod';
import { callbackEventShape } from './callbacks.ts';
import { ClientStatus, Role, SendStatus, SmsType, staffRoles } from './enums.ts';
import { route } from './route.ts';
import {
  appId,
  chargeType,
  clientRef,
  clientStatus,
  count,
  idList,
  instant,
  listOf,
  messageId,
  messageTag,
  money,
  numberList,
  page,
  sendStatus,
  smsType,
  testMode,
  uuid,
} from './shapes.ts';
import { carrierFilters } from './statistics-values.ts';

export const sendRecord = z.object({
  messageId,
  clientRequestTime: instant,
  phoneAddress: z.string(),
  areaCode: z.string(),
  /** The sender ID used. */
  clientSid: z.string(),
  sendStatus,
  clientStatus,
  dealResult: z.string(),
  carrierCode: z.string().nullable(),
  taskId: uuid.nullable(),
  taskName: z.string().nullable(),
  /** The task's template, or the one passed by the software; null if the call contained the complete text. */
  templateId: uuid.nullable(),
  templateName: z.string().nullable(),
  appId,
  smsType,
  fullMessage: z.string(),
  submissionTime: instant.nullable(),
  clientReportTime: instant.nullable(),
  pkgTotal: count,
  carrier: z.string().nullable(),
  /** Staff only. */
  supplierAccount: z.string().optional(),
  operator: z.string().optional(),
  routeId: uuid.optional(),
});
export type SendRecord = z.output<typeof sendRecord>;

export const sendRecordDetail = sendRecord.extend({
  rangeHolder: z.string().nullable(),
  chargeType,
  /** Per segment. */
  price: money,
  chargedCost: money,
  /** accepted → submitted → answered → receipt; only the steps that have happened. */
  life: z.array(
    z.object({
      step: z.enum(['accepted', 'submitted', 'answered', 'unconfirmed', 'receipt', 'blocked']),
      time: instant,
      code: z.string().nullable(),
    }),
  ),
  /** Callbacks sent to its application, in order; empty if it has no enabled callback URL. */
  callbacks: z.array(callbackEventShape),
});
export type SendRecordDetail = z.output<typeof sendRecordDetail>;

/** Columns that a file of records may have, in their order; the last two are staff's. */
export const recordColumnNames = [
  ...([
    'messageId',
    'clientRequestTime',
    'phoneAddress',
    'areaCode',
    'clientSid',
    'sendStatus',
    'clientStatus',
  ] as const),
  ...([
    'dealResult',
    'carrierCode',
    'taskId',
    'taskName',
    'templateName',
    'appId',
    'smsType',
    'fullMessage',
    'pkgTotal',
  ] as const),
  ...(['submissionTime', 'clientReportTime', 'carrier', 'supplierAccount', 'operator'] as const),
] as const satisfies readonly (keyof SendRecord)[];
export type RecordColumnName = (typeof recordColumnNames)[number];

/** What narrows the list of records. */
export const recordFilters = {
  /** Whole or beginning of a number, in any spelling. */
  phoneAddress: z.string().trim().max(30).optional(),
  clientSid: z.string().trim().max(20).optional(),
  /** The carrier's (or our) response to the request. */
  sendStatus: numberList(SendStatus).optional(),
  clientStatus: numberList(ClientStatus).optional(),
  smsType: numberList(SmsType).optional(),
  carrier: z.enum(carrierFilters).optional(),
  areaCode: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  taskId: uuid.optional(),
  /** Messages of tasks that use it, and those that software sent with it. */
  templateId: uuid.optional(),
  appId: appId.optional(),
  messageId: messageId.optional(),
  /** Of messages that software submitted: whole. */
  clientRef: clientRef.optional(),
  tag: messageTag.optional(),
  /** Staff only. */
  customerId: uuid.optional(),
  routeId: uuid.optional(),
  /** Instants of the request; default the last 7 days. */
  from: instant.optional(),
  to: instant.optional(),
};

const readers = [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const;

export const recordRoutes = {
  'GET /records': route({
    summary: 'Every message, however it was submitted, newest first',
    access: readers,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-clientRequestTime']).optional(),
      ...recordFilters,
      /** Only these, of up to a page. */
      messageIds: idList(messageId).optional(),
      ...testMode,
    }),
    response: listOf(sendRecord).extend({
      /**
       * Set if the page is not full and `nextCursor` continues: records requested before this instant have not been
       * searched yet. The next page continues from there.
       */
      searchedTo: instant.nullable(),
    }),
  }),
  'GET /records/totals': route({
    summary: 'How many messages a filter of the list leaves, with their segments and their cost',
    access: readers,
    query: z.strictObject({ ...recordFilters, ...testMode }),
    response: z.object({
      /** Exact; null: counts are not kept by this filter, as for a phone number, a task or a part of a minute. */
      messages: count.nullable(),
      /** Of messages that a carrier accepted; null also with a filter by status. */
      chargedSegments: count.nullable(),
      chargedCost: money.nullable(),
    }),
  }),
  'GET /records/:messageId': route({
    summary: "One message's whole life",
    access: readers,
    params: z.object({ messageId }),
    query: z.strictObject(testMode),
    response: sendRecordDetail,
  }),
  'POST /records/:messageId/unmask': route({
    summary: 'The number and the text of one message as they are; on record in the audit log of its customer',
    access: [Role.Owner, Role.Member, ...staffRoles],
    params: z.object({ messageId }),
    response: z.object({ phoneAddress: z.string(), fullMessage: z.string() }),
  }),
};
