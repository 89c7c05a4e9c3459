import { type RefObject, useEffect } from 'react';

/** Longer than the pause between two turns of a wheel. */
const restMs = 120;

/**
 * Marks an element with `data-scrolling` while anything scrolls. Rows that light up one after the other as they pass below
 * a resting pointer cost a painting of the whole page at every frame, so they stay as they are meanwhile.
 */
export function useScrollMark(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let rest: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      if (rest === undefined) element.current?.setAttribute('data-scrolling', '');
      clearTimeout(rest);
      rest = setTimeout(() => {
        rest = undefined;
        element.current?.removeAttribute('data-scrolling');
      }, restMs);
    };
    // Scrolling does not bubble: on its way down it is heard of every part that scrolls.
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    return () => {
      document.removeEventListener('scroll', onScroll, { capture: true });
      clearTimeout(rest);
    };
  }, [element]);
}
