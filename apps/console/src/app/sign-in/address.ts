import { useSyncExternalStore } from 'react';
import { parseSearchParams, type SearchParams, stringifySearchParams } from '../../lib/router/query-text.ts';

/** The query string before there is a router. */
const listeners = new Set<() => void>();
const query = () => window.location.search;

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('popstate', listener);
  };
}

/** A patch of `undefined` removes; `isStep` adds a history entry, so that Back returns to the previous place. */
export function changeQuery(patch: SearchParams, isStep = true) {
  const next = `/${stringifySearchParams({ ...parseSearchParams(query()), ...patch })}`;
  if (isStep) window.history.pushState(null, '', next);
  else window.history.replaceState(null, '', next);
  for (const listener of listeners) listener();
}

export const useQuery = (): SearchParams => parseSearchParams(useSyncExternalStore(subscribe, query));
