/** Assigns a conversation to a user of the team, or to no one. */
import type { Conversation } from '@pahatid/contract';
import {
  assignConversation,
  findConversation,
  lockAssignee,
  lockConversation,
} from '@pahatid/db/queries/conversations';
import type { Call } from '../../http/call.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { toOwnCustomer } from './find-own.ts';
import { presentConversation } from './present-conversation.ts';

/** Beyond the customer's scope, which may not lock users: a member that is removed meanwhile is waited for. */
export async function assignToUser(call: Call<'PATCH /conversations/:conversationId'>): Promise<Conversation> {
  const { params, body, scope, user, audit, withTransaction, toShownAppId } = call;
  const customerId = toOwnCustomer(scope);
  const { conversationId } = params;
  return withTransaction(async (tx) => {
    const assignee = body.assigneeId === null ? null : await lockAssignee(tx, customerId, body.assigneeId);
    if ((await lockConversation(tx, customerId, conversationId)) === 0) throw new ProblemError('NOT_FOUND');
    if (body.assigneeId !== null && assignee === null) throw fieldProblem('assigneeId', 'NOT_FOUND');
    const before = await findConversation(tx, customerId, conversationId);
    if (before === null) throw new ProblemError('NOT_FOUND');
    const after = { ...before, assigneeId: assignee?.userId ?? null, assigneeName: assignee?.name ?? null };
    if (after.assigneeId !== before.assigneeId) {
      await assignConversation(tx, customerId, conversationId, after.assigneeId);
      await audit(tx, {
        action: 'assign',
        subjectType: 'conversation',
        subjectId: conversationId,
        before: { assignee: before.assigneeName },
        after: { assignee: after.assigneeName },
      });
    }
    return presentConversation(after, user, toShownAppId);
  });
}
