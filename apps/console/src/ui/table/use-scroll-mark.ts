import { type RefObject, useEffect } from 'react';

/** Longer than the pause between two turns of a wheel. */
const restMs = 120;

/**
 * Marks an element with `data-scrolling` while anything scrolls. Rows that highlight one after the other as they pass
 * below a resting pointer cost a repaint of the whole page at every frame, so highlighting is off meanwhile.
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
    // Scrolling does not bubble: the capture phase receives it from every scrolling element.
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    return () => {
      document.removeEventListener('scroll', onScroll, { capture: true });
      clearTimeout(rest);
    };
  }, [element]);
}
