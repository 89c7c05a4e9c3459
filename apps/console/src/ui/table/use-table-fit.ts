import { type RefObject, useEffect } from 'react';
import { boundWidth } from './table-settings.ts';

/**
 * Marks the frame of a table with `data-scrolls` while the table is wider than it, and sets `--first-start` and `--first`,
 * where the first column begins and how wide it is: the second is fixed next to it. The edges
 * of columns get their width as value. A frame that does not scroll lets its header stick to the window.
 */
export function useTableFit(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => {
      const table = element.querySelector('table');
      const first = table?.querySelector<HTMLElement>('th.is-first');
      element.toggleAttribute('data-scrolls', table !== null && table.offsetWidth > element.clientWidth);
      element.style.setProperty(
        '--first-start',
        `${table?.querySelector<HTMLElement>('th.row-select')?.offsetWidth ?? 0}px`,
      );
      element.style.setProperty('--first', `${first?.offsetWidth ?? 0}px`);
      for (const edge of element.querySelectorAll<HTMLElement>('.column-edge'))
        edge.setAttribute('aria-valuenow', String(boundWidth(edge.parentElement?.offsetWidth ?? 0)));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    const table = element.querySelector('table');
    if (table) observer.observe(table);
    return () => observer.disconnect();
  });
}
