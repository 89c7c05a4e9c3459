import {
  type ClientStatus,
  type Conversation,
  type ConversationEntry,
  replyWindowHours,
  type SendStatus,
} from '@pahatid/contract';
import type { ConversationRow, ThreadEntry } from '@pahatid/db/queries/conversations';
import type { Caller } from '../../http/call.ts';
import { phoneFor, textFor } from '../../http/phones.ts';

const hourMs = 3_600_000;

/** Until when a reply may be answered with a text of one's own. */
export const replyUntil = ({ lastAt }: Pick<ConversationRow, 'lastAt'>): Date =>
  new Date(lastAt.getTime() + replyWindowHours * hourMs);

/** Numbers and texts are as this user may see them. */
export const presentConversation = (
  row: ConversationRow,
  user: Caller,
  toShownAppId: (appId: string) => string,
): Conversation => ({
  conversationId: row.conversationId,
  mobileNumber: phoneFor(user, row.msisdn),
  appId: toShownAppId(row.appId),
  lastTime: row.lastAt.toISOString(),
  lastText: textFor(user, row.lastText),
  destination: row.destination,
  optOut: row.isOptOut ? 1 : 0,
  unread: row.unreadCount,
  assignee: row.assigneeId === null ? null : { userId: row.assigneeId, name: row.assigneeName ?? '' },
  replyUntil: replyUntil(row).toISOString(),
});

export const presentEntry = (entry: ThreadEntry, user: Caller): ConversationEntry => {
  if ('reply' in entry) {
    const { inboundId, receivedAt, content, destination, isOptOut, answeredBy, answerRefusal } = entry.reply;
    const shown = { time: receivedAt.toISOString(), content: textFor(user, content) };
    return { kind: 'reply', ...shown, inboundId, destination, optOut: isOptOut ? 1 : 0, answeredBy, answerRefusal };
  }
  const { messageId, content, clientSid, smsType, sendStatus, clientStatus, dealResult, taskName, automaticFor } =
    entry.message;
  return {
    kind: 'message',
    time: new Date(entry.atMs).toISOString(),
    content: textFor(user, content),
    messageId,
    clientSid,
    smsType,
    sendStatus: sendStatus as SendStatus,
    clientStatus: clientStatus as ClientStatus,
    dealResult: dealResult ?? '',
    taskName,
    automaticFor,
  };
};
