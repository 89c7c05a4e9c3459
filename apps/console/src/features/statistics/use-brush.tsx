import { type PointerEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { type BrushedSteps, stepsBetween } from './brushed-steps.ts';
import type { ECharts } from './echarts.ts';

interface Brush {
  handlers: Record<
    'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel',
    (event: PointerEvent<HTMLElement>) => void
  >;
  /** What is selected so far, over the picture. */
  band: ReactNode;
}

/** A shorter way is a click. */
const leastPx = 6;

/** Selects a range of steps by dragging over a chart with the mouse or a pen; a finger scrolls the page. */
export function useBrush(
  chart: RefObject<ECharts | null>,
  stepCount: number,
  onSteps: ((steps: BrushedSteps) => void) | undefined,
): Brush {
  const start = useRef<number | null>(null);
  const [ends, setEnds] = useState<readonly [number, number] | null>(null);
  const xOf = (event: PointerEvent<HTMLElement>) => event.clientX - event.currentTarget.getBoundingClientRect().left;
  const stop = () => {
    start.current = null;
    setEnds(null);
  };
  return {
    handlers: {
      onPointerDown: (event) => {
        if (onSteps && event.pointerType !== 'touch' && event.button === 0) start.current = xOf(event);
      },
      onPointerMove: (event) => {
        if (start.current === null) return;
        const x = xOf(event);
        if (ends === null && Math.abs(x - start.current) < leastPx) return;
        // From here on it is no click of the picture.
        event.currentTarget.setPointerCapture(event.pointerId);
        setEnds([Math.min(start.current, x), Math.max(start.current, x)]);
      },
      onPointerUp: () => {
        const stepAt = (x: number) => Number(chart.current?.convertFromPixel({ xAxisIndex: 0 }, x));
        const steps = ends && stepsBetween(stepAt(ends[0]), stepAt(ends[1]), stepCount);
        stop();
        if (steps) onSteps?.(steps);
      },
      onPointerCancel: stop,
    },
    band: ends && (
      <span className="statistics-brush" style={{ left: ends[0], width: ends[1] - ends[0] }} aria-hidden="true" />
    ),
  };
}
