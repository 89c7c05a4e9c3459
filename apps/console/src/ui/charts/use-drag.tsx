import { type PointerEvent, type ReactNode, useRef, useState } from 'react';

interface Drag {
  handlers: Record<
    'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel',
    (event: PointerEvent<HTMLElement>) => void
  >;
  /** Whether the click that follows ends a selection. */
  wasDragged: () => boolean;
  /** What is selected so far, over the picture. */
  band: ReactNode;
}

/** A shorter way is a click. */
const leastPx = 6;

/**
 * Selects a part of a picture by dragging over it with the mouse or a pen; a finger scrolls the page. `onEnds`: pixels from
 * the left, the smaller first; undefined: nothing can be selected.
 */
export function useDrag(onEnds: ((from: number, to: number) => void) | undefined): Drag {
  const start = useRef<number | null>(null);
  const dragged = useRef(false);
  const [ends, setEnds] = useState<readonly [number, number] | null>(null);
  const xOf = (event: PointerEvent<HTMLElement>) => event.clientX - event.currentTarget.getBoundingClientRect().left;
  const stop = () => {
    start.current = null;
    setEnds(null);
  };
  return {
    handlers: {
      onPointerDown: (event) => {
        dragged.current = false;
        if (onEnds && event.pointerType !== 'touch' && event.button === 0) start.current = xOf(event);
      },
      onPointerMove: (event) => {
        if (start.current === null) return;
        const x = xOf(event);
        if (ends === null && Math.abs(x - start.current) < leastPx) return;
        // From here on it is no click of the picture.
        dragged.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        setEnds([Math.min(start.current, x), Math.max(start.current, x)]);
      },
      onPointerUp: () => {
        stop();
        if (ends) onEnds?.(...ends);
      },
      onPointerCancel: stop,
    },
    wasDragged: () => dragged.current,
    band: ends && (
      <span className="chart-brush" style={{ left: ends[0], width: ends[1] - ends[0] }} aria-hidden="true" />
    ),
  };
}
