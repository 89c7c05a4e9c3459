import type { CallInput, CallResult, RouteKey } from '@pahatid/contract';
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { ApiError } from './api-error.ts';
import { callUnchecked } from './call.ts';

export type GetKey = Extract<RouteKey, `GET ${string}`>;

/**
 * Input of a read. Filters from the address are text or missing, and the API validates them; so each may also be any
 * text, or undefined, which is left out.
 */
export type ReadInput<K extends GetKey> = Omit<CallInput<K>, 'query'> &
  (CallInput<K> extends { query?: infer Q } ? { query?: { [P in keyof Q]?: Q[P] | string | undefined } } : unknown);

interface CallOptions {
  /** False while what the call needs is not known yet. */
  enabled?: boolean;
  /** Milliseconds between quiet re-reads. */
  refetchInterval?: number | false;
  staleTime?: number;
  /** Keeps showing the page before while the next one loads. */
  keepPrevious?: boolean;
}

/** Returns the options of one read; the key begins with the route, so that a whole resource can be refreshed. */
export function callQuery<K extends GetKey>(key: K, input?: ReadInput<K>) {
  return queryOptions({
    queryKey: [key, input ?? null] as const,
    queryFn: () => callUnchecked(key, input),
  });
}

/** Reads from the API: `useCall('GET /tasks/:taskId', { params: { taskId } })`. */
export function useCall<K extends GetKey>(
  key: K,
  input?: ReadInput<K>,
  options: CallOptions = {},
): UseQueryResult<CallResult<K>, ApiError> {
  const { enabled = true, refetchInterval = false, staleTime, keepPrevious = false } = options;
  return useQuery({
    ...callQuery(key, input),
    enabled,
    refetchInterval,
    ...(staleTime !== undefined && { staleTime }),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  }) as UseQueryResult<CallResult<K>, ApiError>;
}

/** Marks all reads below the given paths as out of date: `refresh('/tasks', '/session')`. */
export function useRefresh(): (...paths: readonly `/${string}`[]) => Promise<void> {
  const client = useQueryClient();
  return (...paths) => refresh(client, ...paths);
}

export async function refresh(client: QueryClient, ...paths: readonly `/${string}`[]): Promise<void> {
  await client.invalidateQueries({
    predicate: ({ queryKey: [key] }) =>
      typeof key === 'string' && paths.some((path) => key === path.slice(1) || key.startsWith(`GET ${path}`)),
  });
}
