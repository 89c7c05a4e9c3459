import { z } from 'zod';
import { validForLimits } from './enums.ts';
import { callbackFormats, messageErrors, sendAheadDays, tagLimit } from './messages-values.ts';
import { recordFilters, sendRecord, sendRecordDetail } from './records.ts';
import { route } from './route.ts';
import { clientRef, count, instant, listOf, messageId, messageTag, money, page, smsType, uuid } from './shapes.ts';

/** Messages of one call. */
const messagesLimit = 1_000;
/** As a text may be sent, in characters; of a template with its values as well. */
const contentLimit = 500;
/**
 * Of a call, in bytes. 1,000 texts of 500 Han characters are 1.5 MB in UTF-8, and 3.1 MB if a library writes each
 * character as an escape of six bytes.
 */
const messagesLimitBytes = 4 * 1_048_576;

/** One text to one phone: either `content` with its `smsType`, or a template with the values of its variables. */
export const entryFields = {
  to: z
    .string()
    .trim()
    .min(1)
    .max(40)
    .describe(
      'The phone, in any spelling that a file may have: +639171234567, 0917 123 4567. With a test key no phone receives anything, and the last digit of 0974 000 0000 to 0974 000 0007 chooses the outcome: /docs/test-mode.',
    ),
  senderId: z
    .string()
    .trim()
    .min(1)
    .max(20)
    .optional()
    .describe('A sender ID or number of the application. Default: its first one that may send.'),
  smsType: smsType.optional(),
  /** Without the spaces around it at most 500 characters, which `CONTENT_INVALID` says; no schema counts those. */
  content: z.string().max(2_000).optional(),
  templateId: uuid.optional(),
  variables: z
    .array(
      z
        .string()
        .max(500)
        .regex(/^\P{Cc}*$/u),
    )
    .max(99)
    .optional()
    .describe('Values of the variables, in the order of their numbers: `variables[0]` fills {1}.'),
  validFor: z
    .number()
    .int()
    .min(validForLimits.shortest)
    .max(validForLimits.longest)
    .optional()
    .describe(
      'Seconds after which the message is not sent any more, if no carrier has it by then. At most, and by default, what its application allows: 300 for a code and 86,400 for a notification, or less. Not sent in time: clientStatus 7, dealResult NOT_SENT_IN_TIME, not charged.',
    ),
  clientRef: clientRef
    .optional()
    .describe(
      'Your own reference of the message, up to 64 characters. Found by it in GET /messages and in the records of the console. Do not use phone numbers or names.',
    ),
  clientRefUnique: z
    .boolean()
    .optional()
    .describe(
      'True: refused with CLIENT_REF_TAKEN if the application gave this clientRef to a message that is still stored.',
    ),
  sendAt: instant
    .optional()
    .describe(
      `The instant from which the message may be sent, up to ${sendAheadDays} days ahead; it is charged for and held until then, and can be cancelled. Quiet hours and limits apply as to any. With it, validFor counts from then.`,
    ),
  replyTo: uuid
    .optional()
    .describe(
      'The text of the phone in `to` that the message answers (inboundId). Its default sender ID is then the address to which that text was sent, if the application may send from it.',
    ),
  callbackUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .optional()
    .describe(
      'Receives the callbacks of this message instead of the callback URL of the application, at whose scheme, host and port it must be. That URL must have passed its test and receive message.status; its secret signs.',
    ),
  callbackFormat: z
    .enum(callbackFormats)
    .optional()
    .describe(
      'Form of callbacks to callbackUrl; default pahatid. twilio: a form with the names of Twilio, signed with X-Twilio-Signature.',
    ),
  tags: z
    .array(messageTag)
    .min(1)
    .max(tagLimit)
    .refine((tags) => new Set(tags).size === tags.length)
    .optional()
    .describe(`Up to ${tagLimit} words by which GET /messages finds the message.`),
};

type Entry = z.output<z.ZodObject<typeof entryFields>>;
type Parts = { [field in keyof Entry]?: Entry[field] | undefined };
type Checked = Parts & { messages?: unknown };

/** Checks the combination of fields; a schema of alternatives could only report that none of them matches. */
function checkParts(entry: Parts, context: z.core.$RefinementCtx): void {
  const missing = (field: string, expected: 'string' | 'number' = 'string'): void => {
    context.addIssue({ code: 'invalid_type', expected, input: undefined, path: [field] });
  };
  const unfit = (field: string): void => {
    context.addIssue({ code: 'custom', path: [field] });
  };
  if (entry.to === undefined) missing('to');
  if (entry.content === undefined && entry.templateId === undefined) missing('content');
  if (entry.content !== undefined && entry.templateId !== undefined) unfit('templateId');
  if (entry.content !== undefined && entry.smsType === undefined) missing('smsType', 'number');
  if (entry.content !== undefined && entry.variables !== undefined) unfit('variables');
  if (entry.clientRefUnique !== undefined && entry.clientRef === undefined) missing('clientRef');
  if (entry.callbackFormat !== undefined && entry.callbackUrl === undefined) missing('callbackUrl');
}

const messageEntry = z.strictObject(entryFields).superRefine(checkParts);
export type MessageEntry = z.output<typeof messageEntry>;

const { to, senderId, validFor, variables, clientRef: reference, clientRefUnique, sendAt, tags } = entryFields;
const { replyTo, callbackUrl, callbackFormat } = entryFields;
/** Fields of every message. */
const common = {
  ...{ to, senderId, validFor, clientRef: reference, clientRefUnique, sendAt, tags },
  ...{ replyTo, callbackUrl, callbackFormat },
};

/**
 * The shapes that a call may have, for the document and for programs in TypeScript: a union would reject a bad body with
 * the words that it is none of these, so bodies are checked by `messagesBody`. A test holds the two together.
 */
const ownText = z
  .strictObject({
    ...common,
    smsType,
    content: z.string().min(1).max(contentLimit).describe('The whole text, at most 500 characters.'),
  })
  .describe('A text of your own.');
const filledTemplate = z
  .strictObject({ ...common, smsType: smsType.optional(), templateId: uuid, variables })
  .describe('An approved template with the values of its variables.');
const messageShapes = z.xor([ownText, filledTemplate]);
export const messagesShapes = z.xor([
  ownText,
  filledTemplate,
  z
    .strictObject({
      messages: z
        .array(z.xor([ownText, filledTemplate]))
        .min(1)
        .max(messagesLimit),
    })
    .describe('Up to 1,000 messages, each with its own result.'),
]);

/** One message, or up to 1,000 as `messages`. */
export const messagesBody = z
  .strictObject({
    ...entryFields,
    to: entryFields.to.optional(),
    messages: z.array(messageEntry).min(1).max(messagesLimit).optional(),
  })
  .superRefine((body: Checked, context) => {
    if (body.messages === undefined) {
      checkParts(body, context);
      return;
    }
    for (const field of Object.keys(entryFields) as (keyof typeof entryFields)[])
      if (body[field] !== undefined) context.addIssue({ code: 'custom', path: [field] });
  });

const holdReason = z.enum(['sendAt', 'quietHours', 'application', 'customer', 'task', 'carrier', 'restore']);
export type HoldReason = z.output<typeof holdReason>;
const messageHold = z.object({
  reason: holdReason.describe(
    'sendAt: as asked for; quietHours: marketing at night; application, customer: disabled or paused; task: paused; carrier: none can be reached; restore: paused after a restore of the database.',
  ),
  until: instant.nullable().describe('The first instant at which it may be sent; null: it ends by an action.'),
});
export type MessageHold = z.output<typeof messageHold>;

export const acceptedMessage = z.object({
  messageId,
  pkgTotal: count,
  clientSid: z.string().optional().describe('The sender ID that it shows; only if the call named none.'),
  hold: messageHold.optional().describe('Only of a message that is held.'),
});
export type AcceptedMessage = z.output<typeof acceptedMessage>;

/** Why one of several was not accepted: a code of the catalogue, as a call with it alone would have been answered. */
const refusedMessage = z.object({
  error: z.object({
    code: z.string(),
    params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    errors: z
      .array(
        z.object({
          field: z.string(),
          code: z.string(),
          params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
        }),
      )
      .optional(),
  }),
});
export type RefusedMessage = z.output<typeof refusedMessage>;

export const messagePreview = z.object({
  refusal: refusedMessage.shape.error
    .nullable()
    .describe('Why POST /messages would refuse it now; null: it would be accepted.'),
  phoneAddress: z.string().nullable().describe('The number with its country code; null: it is none.'),
  areaCode: z.string().nullable().describe('Country of the number; null: it is none.'),
  carrier: z.string().nullable().describe('Carrier to which the range of the number was assigned; null: not known.'),
  clientSid: z
    .string()
    .nullable()
    .describe('The sender ID that it would have; null: not known because of the refusal.'),
  smsType: smsType.nullable(),
  content: z.string().nullable().describe('The text as it would be sent; null: a template that cannot be filled in.'),
  encoding: z.enum(['GSM-7', 'UCS-2']).nullable().describe('UCS-2 if a character is not of the GSM 7-bit alphabet.'),
  characters: count.nullable().describe('Characters of the text, as a person counts them.'),
  pkgTotal: count.nullable().describe('Segments of the text.'),
  price: money.nullable().describe('Price of a segment, 1/10,000 PHP; null: not known because of the refusal.'),
  cost: money.nullable().describe('Price of all its segments, 1/10,000 PHP; null: not known because of the refusal.'),
  findings: z
    .array(
      z.object({
        code: z.string(),
        severity: z
          .enum(['error', 'warning'])
          .describe('error: it is refused with CONTENT_INVALID; warning: it may be sent.'),
        from: count.describe('Where it begins in the given text, in UTF-16 units.'),
        to: count.describe('Where it ends, in UTF-16 units.'),
        params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
      }),
    )
    .readonly()
    .describe('What the rules of texts find in `content`; of a template they were checked with it.'),
  hold: messageHold.nullable().describe('Until when it would be held, and why; null: it is not, or is refused.'),
});
export type MessagePreview = z.output<typeof messagePreview>;

/** `messages` are in the order of the call's. */
const acceptedMessages = z.object({
  acceptedCount: count,
  refusedCount: count,
  messages: z.array(z.union([acceptedMessage, refusedMessage])),
});

/** What software asked for with the message. */
const messageExtra = {
  clientRef: z.string().nullable(),
  tags: z.array(z.string()),
  sendAt: instant.nullable(),
  replyTo: uuid.nullable().describe('The text of the phone that it answers.'),
};

const notOfSoftware = {
  supplierAccount: true,
  operator: true,
  routeId: true,
  taskName: true,
  templateName: true,
} as const;

const messageLife = sendRecordDetail
  .omit({ ...notOfSoftware, rangeHolder: true })
  .extend({ ...messageExtra, hold: messageHold.nullable().describe('Why it waits; null: it does not.') });
export type MessageLife = z.output<typeof messageLife>;

/** As in the list. */
const listedMessage = sendRecord.omit(notOfSoftware).extend({
  ...messageExtra,
  chargedCost: money.describe('What was charged so far, 1/10,000 PHP.'),
});
export type ListedMessage = z.output<typeof listedMessage>;

/** What narrows the list, apart from what an application has no names for. */
const { customerId: _customer, routeId: _route, appId: _app, messageId: _message, ...messageFilters } = recordFilters;

export const messageRoutes = {
  'POST /messages': route({
    summary: 'Send one message or up to 1,000; answered once they are durable',
    access: 'application',
    status: 202,
    body: messagesBody as unknown as z.ZodType<z.output<typeof messagesBody>, z.input<typeof messagesShapes>>,
    bodyShapes: messagesShapes,
    bodyLimitBytes: messagesLimitBytes,
    response: z.union([acceptedMessage, acceptedMessages]),
    errors: messageErrors,
  }),
  'POST /messages/preview': route({
    summary: 'Show what a message would be and cost, and when it would go; nothing is stored or sent',
    access: 'application',
    body: messageEntry as unknown as z.ZodType<MessageEntry, z.input<typeof messageShapes>>,
    bodyShapes: messageShapes,
    response: messagePreview,
  }),
  'POST /messages/:messageId/conversion': route({
    summary: 'Report that the code of a message was entered; with that, codes that nobody enters are noticed',
    access: 'application',
    params: z.object({ messageId }),
    answer: 'empty',
    status: 204,
    errors: ['NOT_FOUND'],
  }),
  'GET /messages': route({
    summary: 'Messages of the application, however they were submitted, newest first',
    access: 'application',
    csv: true,
    query: z.strictObject({ ...page, sort: z.enum(['-clientRequestTime']).optional(), ...messageFilters }),
    response: listOf(listedMessage).extend({
      /** Set if the page is not full and `nextCursor` continues: messages requested before this instant have not been searched yet. */
      searchedTo: instant.nullable(),
    }),
  }),
  'DELETE /messages/:messageId': route({
    summary: 'Cancel a message that has not been handed over: it is not sent and not charged',
    access: 'application',
    params: z.object({ messageId }),
    answer: 'empty',
    status: 204,
    errors: ['NOT_FOUND', 'MESSAGE_HANDED_OVER'],
  }),
  'GET /messages/:messageId': route({
    summary: "One message's whole life",
    access: 'application',
    params: z.object({ messageId }),
    response: messageLife,
    errors: ['NOT_FOUND'],
  }),
};
