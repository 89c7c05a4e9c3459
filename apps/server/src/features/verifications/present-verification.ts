import { type Verification, verificationLimits } from '@pahatid/contract';
import type { VerificationRow } from '@pahatid/db/queries/verifications';

/** As of `now`: one whose time is over has expired, whether or not its row says so. */
export function presentVerification(row: VerificationRow, now: Date): Verification {
  const status = row.status === 'pending' && row.expiresAt <= now ? 'expired' : row.status;
  const mayRepeat = status === 'pending' && row.sends < verificationLimits.sends;
  return {
    verificationId: row.verificationId,
    status,
    channel: 'sms',
    phoneAddress: row.msisdn,
    messageId: row.messageId,
    sendCount: row.sends,
    attemptsLeft: status === 'pending' ? verificationLimits.attempts - row.attempts : 0,
    nextSendTime: mayRepeat ? nextSendAt(row).toISOString() : null,
    expireTime: row.expiresAt.toISOString(),
  };
}

export const nextSendAt = ({ sentAt }: Pick<VerificationRow, 'sentAt'>): Date =>
  new Date(sentAt.getTime() + verificationLimits.resendAfterS * 1_000);
