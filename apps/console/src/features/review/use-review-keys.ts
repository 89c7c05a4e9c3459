import { useEffect, useEffectEvent } from 'react';

/** Handles single keys, while no input has the focus and no modifier is held. */
export function useReviewKeys(active: boolean, keys: Record<string, () => unknown>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target?.closest('textarea, select, input:not([type=radio])')) return;
    const act = keys[event.key.toLowerCase()];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    if (!active) return;
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [active]);
}
