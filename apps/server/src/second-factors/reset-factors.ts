/**
 * A user that lost the phone with the authenticator app, the passkeys and the recovery codes is locked out: a user with
 * a higher role removes them. The password remains; if a second factor is required, the next sign-in enrols one.
 */
import { deleteUserSessions, forgetDevices } from '@pahatid/db';
import { deleteFactors, lockUser } from '@pahatid/db/queries/second-factors';
import type { Language } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import type { CallAudit } from '../http/call.ts';
import { ProblemError } from '../http/problem.ts';
import { sendAccountMail } from '../mail/account/send-account-mail.ts';

interface Reset {
  readonly userId: string;
  /** The customer in whose log it is recorded. */
  readonly customerId: string | null;
  readonly by: 'owner' | 'staff';
  readonly reason: string;
  readonly page: Language;
  readonly audit: (tx: PoolClient, entry: CallAudit) => Promise<void>;
}

/** Throws TWO_FACTOR_OFF if there is no factor to remove. The caller checks permissions. */
export async function resetFactors(
  tx: PoolClient,
  { userId, customerId, by, reason, page, audit }: Reset,
): Promise<void> {
  await lockUser(tx, userId);
  const before = await deleteFactors(tx, userId);
  if (!before.totp && before.passkeys === 0) throw new ProblemError('TWO_FACTOR_OFF');
  const sessionsEnded = await deleteUserSessions(tx, userId);
  await forgetDevices(tx, userId);
  await sendAccountMail(tx, userId, { what: 'factorsReset', by }, page);
  await audit(tx, {
    customerId,
    action: 'twoFactor.reset',
    subjectType: customerId === null ? 'user' : 'member',
    subjectId: userId,
    before,
    after: { reason, sessionsEnded },
  });
}
