/** Links of invitations: 256 random bits in the mail, their SHA-256 in the database. */
import { createHash, randomBytes } from 'node:crypto';

/** Validity of a link. */
export const invitationLifeMs = 7 * 86_400_000;

export const hashInvitationToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export const makeInvitationToken = (): { token: string; tokenHash: Buffer } => {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: hashInvitationToken(token) };
};
