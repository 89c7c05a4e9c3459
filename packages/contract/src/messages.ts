import { z } from 'zod';
import { validForLimits } from './enums.ts';
import { messageErrors } from './messages-values.ts';
import { sendRecordDetail } from './records.ts';
import { route } from './route.ts';
import { count, messageId, smsType, uuid } from './shapes.ts';

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
const entryFields = {
  /** In any spelling that a file may have. */
  to: z.string().trim().min(1).max(40),
  /** Default: the application's first one that may send. */
  senderId: z.string().trim().min(1).max(20).optional(),
  smsType: smsType.optional(),
  /** Without the spaces around it at most 500 characters, which `CONTENT_INVALID` says; no schema counts those. */
  content: z.string().max(2_000).optional(),
  templateId: uuid.optional(),
  /** `variables[0]` fills {1}. */
  variables: z
    .array(
      z
        .string()
        .max(500)
        .regex(/^\P{Cc}*$/u),
    )
    .max(99)
    .optional(),
  validFor: z
    .number()
    .int()
    .min(validForLimits.shortest)
    .max(validForLimits.longest)
    .optional()
    .describe(
      'Seconds after which the message is not sent any more, if no carrier has it by then. At most, and by default, what its application allows: 300 for a code and 86,400 for a notification, or less. Not sent in time: clientStatus 7, dealResult NOT_SENT_IN_TIME, not charged.',
    ),
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
}

const messageEntry = z.strictObject(entryFields).superRefine(checkParts);
export type MessageEntry = z.output<typeof messageEntry>;

const { to, senderId, validFor, variables } = entryFields;

/**
 * The shapes that a call may have, for the document and for programs in TypeScript: a union would reject a bad body with
 * the words that it is none of these, so bodies are checked by `messagesBody`. A test holds the two together.
 */
const ownText = z
  .strictObject({
    to,
    senderId,
    validFor,
    smsType,
    content: z.string().min(1).max(contentLimit).describe('The whole text, at most 500 characters.'),
  })
  .describe('A text of your own.');
const filledTemplate = z
  .strictObject({ to, senderId, validFor, smsType: smsType.optional(), templateId: uuid, variables })
  .describe('An approved template with the values of its variables.');
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

const acceptedMessage = z.object({ messageId, pkgTotal: count });
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

/** `messages` are in the order of the call's. */
const acceptedMessages = z.object({
  acceptedCount: count,
  refusedCount: count,
  messages: z.array(z.union([acceptedMessage, refusedMessage])),
});

const messageLife = sendRecordDetail.omit({
  supplierAccount: true,
  operator: true,
  routeId: true,
  rangeHolder: true,
  taskName: true,
  templateId: true,
  templateName: true,
});
export type MessageLife = z.output<typeof messageLife>;

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
  'POST /messages/:messageId/conversion': route({
    summary: 'Report that the code of a message was entered; with that, codes that nobody enters are noticed',
    access: 'application',
    params: z.object({ messageId }),
    answer: 'empty',
    status: 204,
    errors: ['NOT_FOUND'],
  }),
  'GET /messages/:messageId': route({
    summary: "One message's whole life",
    access: 'application',
    params: z.object({ messageId }),
    response: messageLife,
    errors: ['NOT_FOUND'],
  }),
};
