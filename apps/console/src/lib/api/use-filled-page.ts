import type { CallResult } from '@pahatid/contract';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ApiError } from './api-error.ts';
import { callUnchecked } from './call.ts';
import type { GetKey, ReadInput, useCall } from './use-call.ts';

interface Page {
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
  readonly searchedTo?: string | null;
}

/** Lists by pages. */
type ListKey = { [K in GetKey]: CallResult<K> extends Page ? K : never }[GetKey];

interface Continued {
  /** The page to continue from: with another one, the search restarts. */
  readonly from: Page | undefined;
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
  readonly searchedTo: string | null;
  readonly error: ApiError | null;
}

export interface PageSearch {
  readonly state: 'done' | 'searching' | 'stopped' | 'failed';
  /** Requests since then have been searched; null if the list does not report it. */
  readonly searchedTo: string | null;
  readonly error: ApiError | null;
  stop(): void;
  resume(): void;
}

/**
 * A page of a filtered list is short if the server reached its bound before the page was full. Continues automatically
 * until the page is full, nothing is left to search, or the user stops it.
 */
export function useFilledPage<K extends ListKey>(
  key: K,
  input: ReadInput<K>,
  list: ReturnType<typeof useCall<K>>,
  pageSize: number,
): { list: typeof list; search: PageSearch } {
  const from = list.isPlaceholderData ? undefined : (list.data as Page | undefined);
  const [continued, setContinued] = useState<Continued>(continuedFrom(undefined));
  const [stoppedAt, setStoppedAt] = useState<Page | null>(null);
  const now = continued.from === from ? continued : continuedFrom(from);
  const room = pageSize - (from?.items.length ?? 0) - now.items.length;
  const isShort = from !== undefined && now.nextCursor !== null && room > 0;
  const isStopped = stoppedAt !== null && stoppedAt === from;
  const isSearching = isShort && !isStopped && now.error === null;

  const readOn = useEffectEvent(async (): Promise<Continued> => {
    const { query } = input as { query?: object };
    try {
      const rest = { ...input, query: { ...query, cursor: now.nextCursor, limit: String(room) } };
      const page = (await callUnchecked(key, rest)) as Page;
      return { ...now, ...page, searchedTo: page.searchedTo ?? null, items: [...now.items, ...page.items] };
    } catch (error) {
      return { ...now, error: error as ApiError };
    }
  });
  // Another page may end at the same cursor.
  const step = isSearching ? JSON.stringify([input, now.nextCursor, list.dataUpdatedAt]) : null;
  useEffect(() => {
    if (step === null) return;
    let isLeft = false;
    void readOn().then((read) => {
      if (!isLeft) setContinued(read);
    });
    return () => {
      isLeft = true;
    };
  }, [step]);

  const search: PageSearch = {
    state: isSearching ? 'searching' : now.error !== null ? 'failed' : isShort ? 'stopped' : 'done',
    searchedTo: now.searchedTo,
    error: now.error,
    stop: () => setStoppedAt(from ?? null),
    resume: () => {
      setStoppedAt(null);
      setContinued({ ...now, error: null });
    },
  };
  const data =
    from === undefined
      ? list.data
      : { ...from, items: [...from.items, ...now.items], nextCursor: now.nextCursor, searchedTo: now.searchedTo };
  return { list: { ...list, data } as typeof list, search };
}

const continuedFrom = (from: Page | undefined): Continued => ({
  from,
  items: [],
  nextCursor: from?.nextCursor ?? null,
  searchedTo: from?.searchedTo ?? null,
  error: null,
});
