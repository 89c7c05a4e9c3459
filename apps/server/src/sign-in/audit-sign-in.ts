/** Sign-ins in the audit log: successful and failed ones, each in the log of the account's customer. */
import { type Db, type SessionUser, writeAudit } from '@pahatid/db';
import type { SigningIn } from './signing-in.ts';

const at = ({ ip, request }: SigningIn) => ({
  ip,
  userAgent: request.headers['user-agent'] ?? null,
  subjectType: 'session',
  before: null,
});

export const auditSignIn = (db: Db, signingIn: SigningIn, user: SessionUser, after: object): Promise<void> =>
  writeAudit(db, {
    ...at(signingIn),
    customerId: user.customerId,
    userId: user.userId,
    account: user.account,
    role: user.role,
    action: 'signIn',
    subjectId: user.userId,
    after,
  });

/** Returns enough of a name to show a pattern: the typed text may be a password. */
const hint = (typed: string): string => `${typed.slice(0, 2)}…`;

/** The person is unknown: the entry names the account, and not its owner as the actor. */
export const auditSignInFailure = (
  db: Db,
  signingIn: SigningIn,
  failure: { readonly typed: string; readonly user: SessionUser | null; readonly how: string; readonly count?: number },
): Promise<void> => {
  const { typed, user, how, count } = failure;
  return writeAudit(db, {
    ...at(signingIn),
    customerId: user?.customerId ?? null,
    userId: null,
    account: user?.account ?? null,
    action: 'signInFailed',
    subjectId: user?.userId ?? '-',
    after: { how, ...(user === null && { typed: hint(typed) }), ...(count !== undefined && { count }) },
  });
};
