/** `DELETE /messages/{id}`: not sent and not charged, or refused because a sender has it. */
import { SendStatus } from '@pahatid/contract';
import { findRecord } from '@pahatid/db/queries/records';
import { DealResult } from '@pahatid/domain';
import type { Pool } from 'pg';
import type { Call } from '../../http/call.ts';
import { ProblemError } from '../../http/problem.ts';
import type { Acceptor } from '../../sending/accept/acceptor.ts';
import { cancelUnlessHandedOver } from '../../sending/settle/cancel-message.ts';

/** A message that is cancelled already is left as it is: the call may be a repeated one. */
export async function cancelOwn(
  { application, params, inDataScope }: Call<'DELETE /messages/:messageId'>,
  { control, acceptor }: { readonly control: Pool; readonly acceptor: Acceptor },
): Promise<void> {
  const { customerId, appId } = application;
  const messageId = BigInt(params.messageId);
  const read = async () => {
    const row = await inDataScope((tx) => findRecord(tx, [customerId], params.messageId));
    if (row === null || row.appId !== appId) throw new ProblemError('NOT_FOUND');
    if (row.dealResult === DealResult.Cancelled) return 'cancelled';
    // A task's messages end with their task.
    if (row.taskId !== null) throw new ProblemError('CONFLICT');
    return row.sendStatus === SendStatus.Waiting ? 'waiting' : 'ended';
  };
  const writer = () => acceptor.writer();
  if (!(await cancelUnlessHandedOver({ customerId, messageId }, read, { pool: control, writer })))
    throw new ProblemError('MESSAGE_HANDED_OVER');
}
