import { z } from 'zod';
import { Role } from './enums.ts';
import { acceptedMessage, entryFields, messagePreview } from './messages.ts';
import { messageErrors } from './messages-values.ts';
import { route } from './route.ts';
import {
  appId,
  clientStatus,
  count,
  instant,
  listOf,
  messageId,
  page,
  sendStatus,
  smsType,
  uuid,
  yesNo,
} from './shapes.ts';

/** Hours after a reply in which it may be answered with a text of one's own. */
export const replyWindowHours = 24;
/** Texts are searched for in so many of the newest conversations. */
export const searchedConversations = 100_000;

/** What a phone replied to one application, with what it got before. */
const conversation = z.object({
  conversationId: uuid,
  mobileNumber: z.string(),
  appId,
  lastTime: instant.describe('When its last reply was received.'),
  /** Its first 200 characters. */
  lastText: z.string(),
  /** Where the phone sent it: the sender ID or the number that it replies to. */
  destination: z.string(),
  optOut: yesNo.describe('1: the last reply is an opt-out keyword.'),
  /** Replies that no user of the customer has read. */
  unread: count,
  assignee: z
    .object({ userId: uuid, name: z.string() })
    .nullable()
    .describe('Who of the team answers the phone; null: no one yet.'),
  replyUntil: instant.describe(
    `Until then it can be answered with a text of one’s own: ${replyWindowHours} hours after its last reply.`,
  ),
});
export type Conversation = z.output<typeof conversation>;

const conversationEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('reply'),
    time: instant,
    content: z.string(),
    inboundId: uuid,
    destination: z.string(),
    optOut: yesNo,
    answeredBy: z.string().nullable().describe('Keyword whose rule answered the reply; null: none did.'),
    answerRefusal: z
      .string()
      .nullable()
      .describe('Why the automatic answer was not sent, as a code; null: it was, or there is none.'),
  }),
  z.object({
    kind: z.literal('message'),
    time: instant,
    content: z.string(),
    messageId,
    clientSid: z.string(),
    smsType,
    sendStatus,
    clientStatus,
    dealResult: z.string(),
    taskName: z.string().nullable().describe('The task that it was sent with; null: none.'),
    automaticFor: z
      .string()
      .nullable()
      .describe('Keyword that the message answers automatically; null: it is no such answer.'),
  }),
]);
export type ConversationEntry = z.output<typeof conversationEntry>;

const { content, templateId, variables, senderId } = entryFields;
/** What a member writes back: a free text, or an approved template with its values. */
const answerBody = z.strictObject({
  content: content.describe('A text of one’s own, until `replyUntil`; it is sent as a notification.'),
  templateId,
  variables,
  senderId: senderId.describe('Default: the address that the phone replied to, if the application may send from it.'),
});
export type ConversationAnswer = z.output<typeof answerBody>;

const people = [Role.Owner, Role.Member, Role.Viewer] as const;
const writers = [Role.Owner, Role.Member] as const;
const params = z.object({ conversationId: uuid });

export const conversationRoutes = {
  'GET /conversations': route({
    summary: 'Replies by phone and application, the last reply first',
    access: people,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-lastTime', 'lastTime']).default('-lastTime'),
      /** Whole or beginning of a number, in any spelling. */
      mobileNumber: z.string().trim().max(40).optional(),
      text: z
        .string()
        .trim()
        .max(100)
        .optional()
        .describe(
          `A part of the last reply, in any case; looked for in the newest ${searchedConversations.toLocaleString('en-US')} conversations.`,
        ),
      unread: z.enum(['1']).optional().describe('Those with replies that are not read.'),
      assigned: z
        .enum(['me', 'none'])
        .optional()
        .describe('`me`: those assigned to the user of the call, none for software; `none`: those assigned to no one.'),
      appId: appId.optional(),
    }),
    response: listOf(conversation),
  }),
  'GET /conversations/:conversationId': route({
    summary: 'One conversation',
    access: people,
    params,
    response: conversation,
  }),
  'PATCH /conversations/:conversationId': route({
    summary: 'Assign a conversation to a user of the team, or to no one',
    access: writers,
    params,
    body: z.strictObject({
      assigneeId: uuid.nullable().describe('An owner or member of the customer; null: no one.'),
    }),
    response: conversation,
  }),
  'GET /conversation-assignees': route({
    summary: 'Owners and members that conversations can be assigned to, by name',
    access: people,
    response: z.object({ assignees: z.array(z.object({ userId: uuid, name: z.string() })) }),
  }),
  'GET /conversations/:conversationId/entries': route({
    summary: 'What the phone got from the application and what it replied, newest first',
    access: people,
    csv: true,
    params,
    query: z.strictObject({ ...page, sort: z.enum(['-time']).default('-time') }),
    response: listOf(conversationEntry),
  }),
  'POST /conversations/:conversationId/messages': route({
    summary:
      'Reply to the phone: with a text until 24 hours after its last reply, with an approved template at any time',
    access: writers,
    status: 202,
    params,
    body: answerBody,
    response: acceptedMessage,
    errors: [...messageErrors, 'REPLY_WINDOW_CLOSED', 'APP_DISABLED', 'CUSTOMER_SUSPENDED'],
  }),
  'POST /conversations/:conversationId/messages/preview': route({
    summary: 'Show what a reply would be and cost; nothing is stored or sent',
    access: writers,
    params,
    body: answerBody,
    response: messagePreview,
    errors: ['REPLY_WINDOW_CLOSED'],
  }),
  'POST /conversations/:conversationId/read': route({
    summary: 'Mark the replies of a conversation as read, up to the newest that was seen',
    access: writers,
    params,
    body: z.strictObject({ inboundId: uuid.describe('The newest reply that was seen.') }),
    response: conversation,
  }),
};
