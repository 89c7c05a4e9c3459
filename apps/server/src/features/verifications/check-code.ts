/**
 * Compares a code with that of a verification. The row is locked, so that of two concurrent checks with the right code one
 * succeeds, and five wrong ones are five; hashes are compared in constant time.
 */
import { timingSafeEqual } from 'node:crypto';
import { type CallResult, verificationLimits } from '@pahatid/contract';
import { noteConversion } from '@pahatid/db/queries/message-conversions';
import {
  countWrongCode,
  endVerification,
  findVerification,
  moveVerificationHour,
  type VerificationRow,
} from '@pahatid/db/queries/verifications';
import type { PoolClient } from 'pg';
import type { Call } from '../../http/call.ts';
import { ProblemError } from '../../http/problem.ts';
import { hashVerificationCode, toMove } from './hash-code.ts';
import { presentVerification } from './present-verification.ts';
import type { VerificationDeps } from './start-verification.ts';

type Check = 'POST /verifications/:verificationId/check';

export async function checkCode(
  { application: { appId, customerId }, params, body, inDataScope }: Call<Check>,
  { secrets, sending, now }: VerificationDeps,
): Promise<CallResult<Check>> {
  const key = { customerId, appId, verificationId: params.verificationId };
  const codeHash = hashVerificationCode(secrets, key, body.code);
  const { writer } = await sending.acceptor.writer();
  const at = now();
  return await inDataScope(async (tx) => {
    const row = await lockOpen(tx, key, at);
    const isCorrect = timingSafeEqual(row.codeHash, codeHash);
    if (isCorrect) {
      await endVerification(tx, key, 'approved', at);
      if (row.messageId !== null) await noteConversion(tx, { customerId, appId, messageId: row.messageId });
      await moveVerificationHour(tx, { ...toMove(key, row, writer), approved: 1 });
    } else {
      await countWrongCode(tx, key, { mostAttempts: verificationLimits.attempts, now: at });
    }
    const after = await findVerification(tx, key);
    if (!isCorrect)
      await moveVerificationHour(tx, {
        ...toMove(key, row, writer),
        wrong: 1,
        failed: after?.status === 'failed' ? 1 : 0,
      });
    return { ...presentVerification(after ?? row, at), isCorrect };
  });
}

/** Throws if it has ended, or its time is over. */
export async function lockOpen(
  tx: PoolClient,
  key: { customerId: string; appId: string; verificationId: string },
  now: Date,
): Promise<VerificationRow> {
  const row = await findVerification(tx, key, { forUpdate: true });
  if (row === null) throw new ProblemError('NOT_FOUND');
  if (row.status !== 'pending' || row.expiresAt <= now) throw new ProblemError('VERIFICATION_ENDED');
  return row;
}
