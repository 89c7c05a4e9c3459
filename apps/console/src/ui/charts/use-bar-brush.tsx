import { type PointerEvent, type ReactNode, useRef, useState } from 'react';

interface BarBrush {
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

/** Selects bars by dragging over them with the mouse or a pen; a finger scrolls the page. */
export function useBarBrush(
  indexAt: (x: number) => number,
  count: number,
  onBrush: ((from: number, to: number) => void) | undefined,
): BarBrush {
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
        if (onBrush && event.pointerType !== 'touch' && event.button === 0) start.current = xOf(event);
      },
      onPointerMove: (event) => {
        if (start.current === null) return;
        const x = xOf(event);
        if (ends === null && Math.abs(x - start.current) < leastPx) return;
        dragged.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        setEnds([Math.min(start.current, x), Math.max(start.current, x)]);
      },
      onPointerUp: () => {
        const bars = ends && barsBetween(indexAt(ends[0]), indexAt(ends[1]), count);
        stop();
        if (bars) onBrush?.(...bars);
      },
      onPointerCancel: stop,
    },
    wasDragged: () => dragged.current,
    band: ends && (
      <span className="chart-brush" style={{ left: ends[0], width: ends[1] - ends[0] }} aria-hidden="true" />
    ),
  };
}

/** The bars between two places, in their order, whichever way they run; what lies outside is the first or the last. */
function barsBetween(one: number, other: number, count: number): [number, number] | null {
  if (count === 0) return null;
  const bound = (index: number) => Math.min(count - 1, Math.max(0, index));
  return [bound(Math.min(one, other)), bound(Math.max(one, other))];
}
