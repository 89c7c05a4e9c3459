import type { Role, Session } from '@pahatid/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { call } from './call.ts';

/** The current session; null if no one is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      return await call('GET /session');
    } catch (error) {
      if (error instanceof ApiError && error.code === 'NOT_SIGNED_IN') return null;
      throw error;
    }
  },
  staleTime: 60_000,
  // The top bar shows the balance, which moves while tasks run.
  refetchInterval: 60_000,
});

/** Returns the session, inside the shell, where a user is always signed in. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('useSession is for screens behind the sign-in');
  return data;
}

/** Whether the person has one of the roles; hide or disable what they may not do. */
export function useMay(...roles: readonly Role[]): boolean {
  return roles.includes(useSession().user.role);
}
