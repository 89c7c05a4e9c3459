import { useEffect, useEffectEvent, useState } from 'react';
import { ApiError, problemToError } from './api-error.ts';
import { apiBase } from './call.ts';
import { announceSessionEnded } from './session-ended.ts';

const firstDelayMs = 1_000;
const longestDelayMs = 30_000;

/** `live` while events can arrive; `waiting` between attempts; `refused`: no further attempt follows. */
export type EventsState = 'connecting' | 'live' | 'waiting' | 'refused';

export interface EventStream {
  readonly state: EventsState;
  /** Why the last attempt failed; null: it did not, or is under way. */
  readonly error: ApiError | null;
  readonly retry: () => void;
}

/**
 * Listens to a server-sent event stream below /api/v1 and hands over each parsed `data:`. Reconnects with back-off,
 * closes while the page is hidden, and stops when `path` is null, or when it is refused for a reason that no time changes.
 */
export function useEventStream<T>(path: string | null, onEvent: (event: T) => void): EventStream {
  const [state, setState] = useState<EventsState>('connecting');
  const [error, setError] = useState<ApiError | null>(null);
  const [attempt, setAttempt] = useState(0);
  const handle = useEffectEvent(onEvent);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt starts over.
  useEffect(() => {
    if (path === null) return;
    let source: EventSource | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking: AbortController | null = null;
    let failures = 0;
    let isRefused = false;
    // A new connection goes on behind it: what happened meanwhile is not lost.
    let lastEventId = '';

    const close = () => {
      clearTimeout(timer);
      asking?.abort();
      source?.close();
      source = null;
    };
    const fail = (reason: ApiError) => {
      if (reason.code === 'NOT_SIGNED_IN') announceSessionEnded();
      // What happened too long ago is not kept: it goes on from now.
      if (reason.code === 'CURSOR_INVALID') lastEventId = '';
      isRefused = !reason.retryable && reason.status !== 429 && reason.code !== 'CURSOR_INVALID';
      setError(reason);
      setState(isRefused ? 'refused' : 'waiting');
      if (isRefused) return;
      const delayMs = Math.min(firstDelayMs * 2 ** failures, longestDelayMs);
      failures += 1;
      timer = setTimeout(open, delayMs);
    };
    const open = () => {
      close();
      const url = apiBase + resumed(path, lastEventId);
      source = new EventSource(url);
      source.onopen = () => {
        failures = 0;
        setError(null);
        setState('live');
      };
      source.onmessage = ({ data, lastEventId: id }: MessageEvent<string>) => {
        lastEventId = id;
        // A line we can't read is skipped: the next one brings the whole state again.
        try {
          handle(JSON.parse(data) as T);
        } catch {}
      };
      source.onerror = () => {
        // An event source does not say why it was refused.
        const wasRefused = source?.readyState === EventSource.CLOSED;
        close();
        if (!wasRefused) return fail(new ApiError('NETWORK', 0));
        asking = new AbortController();
        const { signal } = asking;
        void askWhy(url, signal).then((reason) => {
          if (!signal.aborted) fail(reason);
        });
      };
    };
    const onVisibility = () => {
      if (document.hidden) close();
      else if (!isRefused) open();
    };

    setError(null);
    setState('connecting');
    if (!document.hidden) open();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      close();
    };
  }, [path, attempt]);

  return { state, error, retry: () => setAttempt((before) => before + 1) };
}

/** The same, for screens that go on without the stream. */
export const useEvents = <T>(path: string | null, onEvent: (event: T) => void): EventsState =>
  useEventStream(path, onEvent).state;

/** Asks once more by a plain request; if that is accepted by now, the stream is tried again. */
async function askWhy(url: string, signal: AbortSignal): Promise<ApiError> {
  try {
    const headers = { Accept: 'text/event-stream, application/problem+json' };
    const response = await fetch(url, { credentials: 'same-origin', headers, signal });
    if (!response.ok)
      return problemToError(response.status, await response.text(), response.headers.get('x-request-id'));
    await response.body?.cancel();
  } catch {
    // As below: nothing is known but that there is no stream.
  }
  return new ApiError('NETWORK', 0);
}

const resumed = (path: string, lastEventId: string): string =>
  lastEventId === '' ? path : `${path}${path.includes('?') ? '&' : '?'}after=${encodeURIComponent(lastEventId)}`;
