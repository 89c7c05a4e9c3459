import type { Session } from '@pahatid/contract';
import type { QueryClient } from '@tanstack/react-query';
import { sessionQuery } from './session.ts';

/** Whose data a page shows: a person's, or a customer's where one of the staff looks at its screens. */
const viewOf = ({ user, customer }: Session): string => `${user.userId} ${customer?.customerId ?? ''}`;

/**
 * Calls `tell` when the session has become another one under a page that stands: whatever it reads from then on is
 * somebody else's. `before` is whose page it is.
 */
export function watchForOtherUser(client: QueryClient, tell: (before: Session, now: Session) => void): () => void {
  let known = client.getQueryData(sessionQuery.queryKey) ?? null;
  return client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] !== sessionQuery.queryKey[0]) return;
    const now = client.getQueryData(sessionQuery.queryKey) ?? null;
    if (known !== null && now !== null && viewOf(now) !== viewOf(known)) tell(known, now);
    else known = now;
  });
}
