/** Sign-ins in the audit log: those that worked and those that did not, each in the log of the customer whose account it is. */
import { type Db, type SessionUser, writeAudit } from '@pahatid/db';
import type { SigningIn } from './signing-in.ts';

const at = ({ ip, request }: SigningIn) => ({
  ...{ ip, userAgent: request.headers['user-agent'] ?? null },
  ...{ subjectType: 'session', before: null },
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

/** Enough of a name to see a pattern: what is typed as one may be somebody's password. */
const hint = (typed: string): string => `${typed.slice(0, 2)}…`;

/** Whoever it was is not known: the entry names the account, and not its owner as the one who acted. */
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
