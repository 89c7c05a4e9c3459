/**
 * Replies of members to a phone. A text of one's own is accepted until 24 hours after the phone's last reply, an approved
 * template at any time; everything else is decided as for the application's software, by the same path.
 */
import { createHash } from 'node:crypto';
import {
  type AcceptedMessage,
  type ConversationAnswer,
  type MessageEntry,
  type MessagePreview,
  SmsType,
} from '@pahatid/contract';
import type { ConversationRow } from '@pahatid/db/queries/conversations';
import type { Call } from '../../http/call.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import type { MessageSending } from '../../messages/message-sending.ts';
import { previewMessage } from '../../messages/preview-message.ts';
import { sendOnce } from '../../messages/send-messages.ts';
import type { SendCall } from '../../sending/accept/send-call.ts';
import { findOwn, toOwnCustomer } from './find-own.ts';
import { replyUntil } from './present-conversation.ts';

type Post = Call<'POST /conversations/:conversationId/messages'>;
type Preview = Call<'POST /conversations/:conversationId/messages/preview'>;

export async function answerPhone(call: Post, sending: MessageSending): Promise<AcceptedMessage> {
  const { params, scope, body, audit, inScope } = call;
  const key = readKey(call);
  const row = await findOwn(call);
  const application = { appId: row.appId, customerId: toOwnCustomer(scope) };
  const { message, isNew } = await sendOnce(toEntry(row, body, sending.now()), application, key, sending);
  if (isNew)
    await inScope((tx) =>
      audit(tx, {
        action: 'reply',
        subjectType: 'conversation',
        subjectId: params.conversationId,
        after: { messageId: message.messageId },
      }),
    );
  return message;
}

export async function previewAnswer(call: Preview, sending: MessageSending): Promise<MessagePreview> {
  const row = await findOwn(call);
  const application = { appId: row.appId, customerId: toOwnCustomer(call.scope) };
  return await previewMessage(toEntry(row, call.body, sending.now()), application, sending);
}

function toEntry(row: ConversationRow, body: ConversationAnswer, now: Date): MessageEntry {
  const { content, templateId, variables, senderId } = body;
  const common = { to: `+${row.msisdn}`, replyTo: row.lastInboundId, senderId };
  if (templateId !== undefined) {
    if (content !== undefined) throw fieldProblem('content', 'INVALID');
    return { ...common, templateId, variables };
  }
  if (content === undefined) throw fieldProblem('content', 'REQUIRED');
  if (variables !== undefined) throw fieldProblem('variables', 'INVALID');
  if (now >= replyUntil(row)) throw new ProblemError('REPLY_WINDOW_CLOSED');
  return { ...common, content, smsType: SmsType.Notification };
}

/** Of this conversation: a form sends the same key again if it is pressed twice. */
function readKey({ request, params, body }: Post): SendCall['key'] {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header))
    throw new ProblemError('BAD_REQUEST', undefined, [{ field: 'Idempotency-Key', code: 'FORMAT' }]);
  const name = createHash('sha256').update(`${params.conversationId}\0${header}`).digest('base64url');
  return { key: `conversations:${name}`, requestHash: createHash('sha256').update(JSON.stringify(body)).digest() };
}
