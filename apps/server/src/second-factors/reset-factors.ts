/**
 * Who lost the phone with the authenticator app, the passkeys and the recovery codes is locked out: somebody above takes
 * them away. What is left is the password; where a second factor is asked for, the next sign-in enrols one.
 */
import { deleteSessionsOf, forgetDevices } from '@pahatid/db';
import { deleteFactors, lockUser } from '@pahatid/db/queries/second-factors';
import type { PoolClient } from 'pg';
import { tellPerson } from '../account-mail/tell-person.ts';
import type { CallAudit } from '../http/call.ts';
import type { Language } from '../http/csv.ts';
import { ProblemError } from '../http/problem.ts';

interface Reset {
  readonly userId: string;
  /** In whose log it is written. */
  readonly customerId: string | null;
  readonly by: 'owner' | 'staff';
  readonly reason: string;
  readonly page: Language;
  readonly audit: (tx: PoolClient, entry: CallAudit) => Promise<void>;
}

/** Throws TWO_FACTOR_OFF where there is nothing to take away. Whether the caller may is the caller's to know. */
export async function resetFactors(
  tx: PoolClient,
  { userId, customerId, by, reason, page, audit }: Reset,
): Promise<void> {
  await lockUser(tx, userId);
  const before = await deleteFactors(tx, userId);
  if (!before.totp && before.passkeys === 0) throw new ProblemError('TWO_FACTOR_OFF');
  const sessionsEnded = await deleteSessionsOf(tx, userId);
  await forgetDevices(tx, userId);
  await tellPerson(tx, userId, { what: 'factorsReset', by }, page);
  await audit(tx, {
    customerId,
    action: 'twoFactor.reset',
    subjectType: customerId === null ? 'user' : 'member',
    subjectId: userId,
    before,
    after: { reason, sessionsEnded },
  });
}
