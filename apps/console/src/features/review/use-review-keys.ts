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

/** Moves the focus over the rows of the list, from wherever it is. */
export function moveOverRows(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.resource-table .row-open')];
  const at = rows.findIndex((row) => row === document.activeElement);
  const next = at === -1 ? (step === 1 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + step));
  rows[next]?.focus();
}
