import type { Session } from '@pahatid/contract';
import type { QueryClient } from '@tanstack/react-query';
import { sessionQuery } from './session.ts';

/** Owner of the data on a page: a user, or a customer whose screens staff view. */
const viewOf = ({ user, customer }: Session): string => `${user.userId} ${customer?.customerId ?? ''}`;

/**
 * Calls `tell` when the session of an open page has changed: everything it reads from then on belongs to another user.
 * `before` is the page's user.
 */
export function watchForOtherUser(
  client: QueryClient,
  notifyListeners: (before: Session, now: Session) => void,
): () => void {
  let known = client.getQueryData(sessionQuery.queryKey) ?? null;
  return client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] !== sessionQuery.queryKey[0]) return;
    const now = client.getQueryData(sessionQuery.queryKey) ?? null;
    if (known !== null && now !== null && viewOf(now) !== viewOf(known)) notifyListeners(known, now);
    else known = now;
  });
}
