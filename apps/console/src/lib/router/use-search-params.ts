import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { SearchParams } from './query-text.ts';

export type SetSearchParams<K extends string> = (
  patch: Partial<Record<K, string | undefined>>,
  options?: { replace?: boolean },
) => void;

/** Returns a function that changes parameters of the address and resolves once the screen has them. */
export function usePatchSearch(): (patch: SearchParams, options?: { replace?: boolean }) => Promise<void> {
  const navigate = useNavigate();
  return useCallback(
    (patch, { replace = false } = {}) =>
      navigate({ to: '.', search: (previous) => ({ ...previous, ...patch }), replace, resetScroll: false }),
    [navigate],
  );
}

/**
 * The view state of a screen, stored in the address: open items, filters, page.
 * `const [view, setView] = useSearchParams(['search', 'taskStatus', 'open'])`; a patch of `undefined` or '' removes.
 * A filter typed letter by letter passes `replace: true`; a step that Back should undo doesn't.
 */
export function useSearchParams<const K extends string>(
  keys: readonly K[],
): [Partial<Record<K, string>>, SetSearchParams<K>] {
  const search: SearchParams = useSearch({ strict: false });
  const patchSearch = usePatchSearch();
  const joined = keys.join(' ');
  const values = useMemo(() => {
    const picked: Partial<Record<K, string>> = {};
    for (const key of joined.split(' ') as K[]) {
      const value = search[key];
      if (value !== undefined && value !== '') picked[key] = value;
    }
    return picked;
  }, [search, joined]);
  const set = useCallback<SetSearchParams<K>>((patch, options) => void patchSearch(patch, options), [patchSearch]);
  return [values, set];
}
