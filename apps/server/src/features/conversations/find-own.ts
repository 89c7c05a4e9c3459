import { getCustomerId, type Scope } from '@pahatid/db';
import { type ConversationRow, findConversation } from '@pahatid/db/queries/conversations';
import type { Call } from '../../http/call.ts';
import { ProblemError } from '../../http/problem.ts';

/** The routes of conversations admit users and software of customers alone. */
export function toOwnCustomer(scope: Scope): string {
  const customerId = getCustomerId(scope);
  if (customerId === null) throw new Error('staff reached a route of customers');
  return customerId;
}

/** Returns the conversation of the address; NOT_FOUND if the customer has none with that id. */
export async function findOwn({
  scope,
  params,
  inDataScope,
}: Pick<Call<'GET /conversations/:conversationId'>, 'scope' | 'params' | 'inDataScope'>): Promise<ConversationRow> {
  const row = await inDataScope((tx) => findConversation(tx, toOwnCustomer(scope), params.conversationId));
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
}
