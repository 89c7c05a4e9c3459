import { type RefObject, useEffect, useEffectEvent } from 'react';
import { areSingleKeysOn } from '../../lib/single-keys.ts';

/** Where a letter is typed text, or chooses an option. */
const typingPlaces =
  'textarea, select, input:not([type=checkbox], [type=radio]), [contenteditable=true], [role=combobox], [role=listbox]';

/** J and K move the focus over the rows of a list, from wherever it is; Enter then opens one, as the row is a button. */
export function useRowKeys(frame: RefObject<HTMLElement | null>, isOn: boolean): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const step = { j: 1, k: -1 }[event.key.toLowerCase()];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (!areSingleKeysOn() || (event.target instanceof Element && event.target.closest(typingPlaces))) return;
    if (frame.current === null || frame.current !== currentList()) return;
    event.preventDefault();
    moveOverRows(frame.current, step);
  });
  useEffect(() => {
    if (!isOn) return;
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [isOn]);
}

/** The list that the keys are for: in the layer on top, the one with the focus, else the first. */
function currentList(): Element | null {
  if (document.querySelector('[popover]:popover-open')) return null;
  const layer = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
  const lists = [...layer.querySelectorAll(':is(.resource-frame, .row-list):has(.row-open)')];
  return lists.find((list) => list.contains(document.activeElement)) ?? lists[0] ?? null;
}

function moveOverRows(list: Element, step: number): void {
  const rows = [...list.querySelectorAll<HTMLElement>('.row-open')];
  const at = rows.findIndex((row) => row.closest('tr, li')?.contains(document.activeElement));
  const next = at === -1 ? (step === 1 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + step));
  rows[next]?.focus();
}
