import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import {
  appId,
  clientStatus,
  instant,
  listOf,
  messageId,
  numeric,
  ofCustomer,
  page,
  smsType,
  uuid,
  yesNo,
} from './shapes.ts';

/** A text that a phone sent back. */
const inboundText = z.object({
  inboundId: uuid,
  time: instant,
  mobileNumber: z.string(),
  /** Where the phone sent it: the sender ID or the number that it replies to. */
  destination: z.string(),
  content: z.string(),
  /** 1: the whole text is an opt-out keyword, and the number was added to the opt-out list. */
  optOut: yesNo,
  /** The message it replies to: the last one to that phone. Null if unknown. */
  messageId: messageId.nullable(),
  appId: appId.nullable(),
  taskId: uuid.nullable(),
  taskName: z.string().nullable(),
  /** The customer; for staff only. */
  operator: z.string().optional(),
});
export type InboundText = z.output<typeof inboundText>;

const inboundDetail = inboundText.extend({
  /** The message replied to; null if unknown or no longer stored. */
  answered: z
    .object({
      messageId,
      clientSid: z.string(),
      fullMessage: z.string(),
      clientRequestTime: instant,
      smsType,
      clientStatus,
    })
    .nullable(),
  /** When the number was added to the opt-out list; null if it is not on it, regardless of this text. */
  optOutTime: instant.nullable(),
});
export type InboundDetail = z.output<typeof inboundDetail>;

/** A text to an address that no customer owns. */
const unownedReply = z.object({
  inboundId: uuid,
  time: instant,
  mobileNumber: z.string(),
  destination: z.string(),
  content: z.string(),
  /** 1: the whole text is an opt-out keyword; it stopped no customer's messages. */
  optOut: yesNo,
  supplierAccount: z.string(),
});
export type UnownedReply = z.output<typeof unownedReply>;

const staff = [Role.Reviewer, Role.Operator, Role.Admin] as const;
const readers = [Role.Owner, Role.Member, Role.Viewer, ...staff] as const;

export const inboundRoutes = {
  'GET /inbound': route({
    summary: 'Texts that phones sent back, newest first',
    access: readers,
    byCustomer: true,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-time', 'time']).default('-time'),
      ...ofCustomer,
      /** Whole or beginning of a number, in any spelling. */
      mobileNumber: z.string().trim().max(40).optional(),
      /** What the phones answered to, in any case. */
      destination: z.string().trim().max(21).optional(),
      appId: appId.optional(),
      taskId: uuid.optional(),
      optOut: numeric(yesNo).optional(),
      /** Instants of arrival. */
      from: instant.optional(),
      to: instant.optional(),
    }),
    response: listOf(inboundText),
  }),
  'GET /unowned-replies': route({
    summary: 'Texts that phones sent to an address that no customer owns, newest first',
    access: staff,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-time', 'time']).default('-time'),
      destination: z.string().trim().max(21).optional(),
      optOut: numeric(yesNo).optional(),
    }),
    response: listOf(unownedReply),
  }),
  'GET /inbound/:inboundId': route({
    summary: 'One text, with the message it answers',
    access: readers,
    byCustomer: true,
    params: z.object({ inboundId: uuid }),
    query: z.strictObject(ofCustomer),
    response: inboundDetail,
  }),
};
