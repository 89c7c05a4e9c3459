import { type CallResult, Carrier, UseState } from '@pahatid/contract';
import { findApplication, findSender, getCustomerId, registerSender, uuidV7 } from '@pahatid/db';
import { checkSenderId } from '@pahatid/domain';
import type { Call } from '../../http/call.ts';
import { ProblemError } from '../../http/problem.ts';
import type { ReadReviewRules } from '../../review-rules/review-rules.ts';
import { presentSender } from './present-sender.ts';

/** The carriers that a sender ID is registered with, by country. */
const carriersOf = (areaCode: string): readonly Carrier[] => (areaCode === 'PH' ? Object.values(Carrier) : []);

/** Registers a sender ID for review; one that was rejected may be registered again. */
export async function submitSender(
  { body, user, scope, inScope, audit }: Call<'POST /senders'>,
  readRules: ReadReviewRules,
): Promise<CallResult<'POST /senders'>> {
  const reason = checkSenderId(body.senderId);
  if (reason !== null) throw new ProblemError('SENDER_ID_INVALID', { reason }, [{ field: 'senderId', code: reason }]);
  const rules = await readRules();
  const customerId = getCustomerId(scope) ?? '';
  return inScope(async (tx) => {
    const application = await findApplication(tx, customerId, body.appId);
    if (application === null) throw new ProblemError('APP_NOT_FOUND', { appId: body.appId });
    if (application.useState === UseState.Disabled) throw new ProblemError('APP_DISABLED', { appId: body.appId });
    const id = await registerSender(tx, {
      ...body,
      id: uuidV7(),
      customerId,
      createdBy: user.userId,
      carriers: carriersOf(body.areaCode),
    });
    if (id === null) throw new ProblemError('SENDER_ID_TAKEN');
    await audit(tx, { action: 'add', subjectType: 'sender', subjectId: id, after: body });
    const row = await findSender(tx, customerId, id);
    if (row === null) throw new Error('a sender ID just registered is not there');
    return presentSender(row, scope, rules);
  });
}
