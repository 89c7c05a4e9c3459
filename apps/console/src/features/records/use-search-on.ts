import type { CallResult, SendRecord } from '@pahatid/contract';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ApiError } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import type { useCall } from '../../lib/api/use-call.ts';

type Page = CallResult<'GET /records'>;
type RecordsQuery = Partial<Record<string, never>>;

interface Continued {
  /** The page that this goes on from: with another one, the search begins anew. */
  readonly from: Page | undefined;
  readonly items: readonly SendRecord[];
  readonly nextCursor: string | null;
  readonly searchedTo: string | null;
  readonly error: ApiError | null;
}

export interface RecordSearch {
  readonly state: 'done' | 'searching' | 'stopped' | 'failed';
  /** Records requested since then have been searched. */
  readonly searchedTo: string | null;
  readonly error: ApiError | null;
  stop(): void;
  resume(): void;
}

/**
 * A page of records is short where the server came to its bound before the page was full. Goes on from there by itself
 * until the page is full, nothing is left to search, or the user stops it.
 */
export function useSearchOn(query: RecordsQuery, list: ReturnType<typeof useCall<'GET /records'>>, pageSize: number) {
  const from = list.isPlaceholderData ? undefined : list.data;
  const [kept, setKept] = useState<Continued>(continuedFrom(undefined));
  const [stoppedAt, setStoppedAt] = useState<Page | null>(null);
  const now = kept.from === from ? kept : continuedFrom(from);
  const room = pageSize - (from?.items.length ?? 0) - now.items.length;
  const isShort = from !== undefined && now.nextCursor !== null && room > 0;
  const isStopped = stoppedAt !== null && stoppedAt === from;
  const isSearching = isShort && !isStopped && now.error === null;

  const readOn = useEffectEvent(async (): Promise<Continued> => {
    const rest = { ...query, cursor: now.nextCursor ?? undefined, limit: String(room) };
    try {
      const page = await call('GET /records', { query: rest });
      return { ...now, ...page, items: [...now.items, ...page.items] };
    } catch (error) {
      return { ...now, error: error as ApiError };
    }
  });
  // Another page may end at the same cursor.
  const step = isSearching ? JSON.stringify([query, now.nextCursor, list.dataUpdatedAt]) : null;
  useEffect(() => {
    if (step === null) return;
    let isLeft = false;
    void readOn().then((read) => {
      if (!isLeft) setKept(read);
    });
    return () => {
      isLeft = true;
    };
  }, [step]);

  const search: RecordSearch = {
    state: isSearching ? 'searching' : now.error !== null ? 'failed' : isShort ? 'stopped' : 'done',
    searchedTo: now.searchedTo,
    error: now.error,
    stop: () => setStoppedAt(from ?? null),
    resume: () => {
      setStoppedAt(null);
      setKept({ ...now, error: null });
    },
  };
  const data = from && { ...from, items: [...from.items, ...now.items], nextCursor: now.nextCursor };
  return { list: { ...list, data: data ?? list.data }, search };
}

const continuedFrom = (from: Page | undefined): Continued => ({
  from,
  items: [],
  nextCursor: from?.nextCursor ?? null,
  searchedTo: from?.searchedTo ?? null,
  error: null,
});
