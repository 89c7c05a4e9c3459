import { useEffect, useEffectEvent, useState } from 'react';
import { apiBase } from './call.ts';

const firstDelayMs = 1_000;
const longestDelayMs = 30_000;

/** `live` while events can arrive; `waiting` between attempts. */
export type EventsState = 'connecting' | 'live' | 'waiting';

/**
 * Listens to a server-sent event stream below /api/v1 and hands over each parsed `data:`. Reconnects with back-off,
 * closes while the page is hidden, and stops when `path` is null.
 */
export function useEvents<T>(path: string | null, onEvent: (event: T) => void): EventsState {
  const [state, setState] = useState<EventsState>('connecting');
  const handle = useEffectEvent(onEvent);

  useEffect(() => {
    if (path === null) return;
    let source: EventSource | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    // A new connection goes on behind it: what happened meanwhile is not lost.
    let lastEventId = '';

    const close = () => {
      clearTimeout(timer);
      source?.close();
      source = null;
    };
    const open = () => {
      close();
      source = new EventSource(apiBase + resumed(path, lastEventId));
      source.onopen = () => {
        failures = 0;
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
        close();
        setState('waiting');
        const delayMs = Math.min(firstDelayMs * 2 ** failures, longestDelayMs);
        failures += 1;
        timer = setTimeout(open, delayMs);
      };
    };
    const onVisibility = () => (document.hidden ? close() : open());

    if (!document.hidden) open();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      close();
    };
  }, [path]);

  return state;
}

const resumed = (path: string, lastEventId: string): string =>
  lastEventId === '' ? path : `${path}${path.includes('?') ? '&' : '?'}after=${encodeURIComponent(lastEventId)}`;
