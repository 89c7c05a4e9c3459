import { useEffect, useState } from 'react';
import { type ReadInput, useCall } from '../../lib/api/use-call.ts';

/** How often is looked for messages that have come since. */
const lookMs = 10_000;
/** More are not counted. */
const most = 50;

/**
 * Counts messages that have arrived since the list was read. They are shown by a link, so that no row moves under the
 * pointer; `isNewest`: the list shows the newest matches.
 */
export function useFreshCount(
  query: NonNullable<ReadInput<'GET /records'>['query']>,
  isNewest: boolean,
  list: Pick<ReturnType<typeof useCall<'GET /records'>>, 'data' | 'dataUpdatedAt'>,
): number {
  const newest = list.data?.items[0];
  const isRead = list.data !== undefined;
  // Only newer messages: a search with few results is not repeated each time.
  const since = newest?.clientRequestTime ?? new Date(list.dataUpdatedAt).toISOString();
  // The first look a while after the list came: at that moment nothing can be newer.
  const [looks, setLooks] = useState(false);
  useEffect(() => {
    setLooks(false);
    if (!isNewest || !isRead) return;
    const timer = setTimeout(() => setLooks(true), lookMs);
    return () => clearTimeout(timer);
  }, [isNewest, isRead]);
  const { data } = useCall(
    'GET /records',
    { query: { ...query, from: since, limit: String(most) } },
    { enabled: looks, refetchInterval: lookMs },
  );
  if (!looks || !isNewest) return 0;
  return (data?.items ?? []).filter(({ messageId }) => BigInt(messageId) > BigInt(newest?.messageId ?? 0)).length;
}
