import { type RefObject, useEffect, useEffectEvent } from 'react';
import { areSingleKeysOn } from '../../lib/single-keys.ts';

/** Where a letter is typed text, or chooses an option. */
const typingPlaces =
  'textarea, select, input:not([type=checkbox], [type=radio]), [contenteditable=true], [role=combobox], [role=listbox]';

interface RowPeek {
  isOn: boolean;
  isOpen: boolean;
  show: (key: string) => void;
  close: () => void;
}

/** Rows that are no rows of a table have none. */
const noPeek: RowPeek = { isOn: false, isOpen: false, show: () => {}, close: () => {} };

const rowOf = (element: EventTarget | null): HTMLElement | null =>
  element instanceof Element && element.matches('.row-open') ? element.closest<HTMLElement>('tr[data-key]') : null;

/**
 * J and K move the focus over the rows of a list, from wherever it is; Enter then opens one, as the row is a button, and
 * Space shows it next to the list, where J and K then move it along.
 */
export function useRowKeys(frame: RefObject<HTMLElement | null>, isOn: boolean, peek: RowPeek = noPeek): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const row = event.key === ' ' && peek.isOn ? rowOf(event.target) : null;
    if (row && frame.current?.contains(row)) {
      event.preventDefault();
      if (event.repeat) return;
      if (peek.isOpen && row.classList.contains('is-open')) peek.close();
      else peek.show(row.dataset['key'] ?? '');
      return;
    }
    const step = { j: 1, k: -1 }[event.key.toLowerCase()];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (!areSingleKeysOn() || (event.target instanceof Element && event.target.closest(typingPlaces))) return;
    if (frame.current === null || frame.current !== currentList()) return;
    event.preventDefault();
    moveOverRows(frame.current, step, peek.isOpen);
    const key = rowOf(document.activeElement)?.dataset['key'];
    if (peek.isOpen && key !== undefined) peek.show(key);
  });
  /** A button is pressed when Space is let go. */
  const letGo = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === ' ' && peek.isOn && rowOf(event.target)) event.preventDefault();
  });
  useEffect(() => {
    if (!isOn) return;
    const listen = (event: KeyboardEvent) => press(event);
    const listenUp = (event: KeyboardEvent) => letGo(event);
    document.addEventListener('keydown', listen);
    document.addEventListener('keyup', listenUp);
    return () => {
      document.removeEventListener('keydown', listen);
      document.removeEventListener('keyup', listenUp);
    };
  }, [isOn]);
}

/** The list that the keys are for: in the layer on top, the one with the focus, else the first. */
function currentList(): Element | null {
  if (document.querySelector('[popover]:popover-open')) return null;
  const layer = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
  const lists = [...layer.querySelectorAll(':is(.resource-frame, .row-list):has(.row-open)')];
  return lists.find((list) => list.contains(document.activeElement)) ?? lists[0] ?? null;
}

/** From the row with the focus; with `fromOpen`, else from the one that is open. */
function moveOverRows(list: Element, step: number, fromOpen: boolean): void {
  const rows = [...list.querySelectorAll<HTMLElement>('.row-open')];
  const focused = rows.findIndex((row) => row.closest('tr, li')?.contains(document.activeElement));
  const at = focused === -1 && fromOpen ? rows.findIndex((row) => row.closest('.is-open') !== null) : focused;
  const next = at === -1 ? (step === 1 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + step));
  rows[next]?.focus();
}
