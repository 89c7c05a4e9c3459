import { useCallback, useSyncExternalStore } from 'react';

/** Rows are cards, and the menu is a bar at the bottom. */
export const phone = '(max-width: 720px)';
/** The menu is a rail of icons; tables have less room than their columns need. */
export const tablet = '(min-width: 721px) and (max-width: 1080px)';
/** A row's detail has room next to its list. */
export const peekRoom = '(min-width: 1200px)';

/** Returns whether the window is as a media query says, and renders again when that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
