import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { SearchParams } from './query-text.ts';

export type SetSearchParams<K extends string> = (
  patch: Partial<Record<K, string | undefined>>,
  options?: { replace?: boolean },
) => void;

/**
 * The view state of a screen, stored in the address: open items, filters, page.
 * `const [view, setView] = useSearchParams(['search', 'taskStatus', 'open'])`; a patch of `undefined` or '' removes.
 * A filter typed letter by letter passes `replace: true`; a step that Back should undo doesn't.
 */
export function useSearchParams<const K extends string>(
  keys: readonly K[],
): [Partial<Record<K, string>>, SetSearchParams<K>] {
  const search: SearchParams = useSearch({ strict: false });
  const navigate = useNavigate();
  const joined = keys.join(' ');
  const values = useMemo(() => {
    const picked: Partial<Record<K, string>> = {};
    for (const key of joined.split(' ') as K[]) {
      const value = search[key];
      if (value !== undefined && value !== '') picked[key] = value;
    }
    return picked;
  }, [search, joined]);
  const set = useCallback<SetSearchParams<K>>(
    (patch, options) => {
      void navigate({
        to: '.',
        search: (previous: SearchParams) => ({ ...previous, ...patch }),
        replace: options?.replace ?? false,
        resetScroll: false,
      } as never);
    },
    [navigate],
  );
  return [values, set];
}
