import type { RefObject } from 'react';
import { useDrag } from '../../ui/charts/use-drag.tsx';
import { type BrushedSteps, stepsBetween } from './brushed-steps.ts';
import type { ECharts } from './echarts.ts';

/** Selects a range of steps by dragging over a chart. */
export const useBrush = (
  chart: RefObject<ECharts | null>,
  stepCount: number,
  onSteps: ((steps: BrushedSteps) => void) | undefined,
) =>
  useDrag(
    onSteps &&
      ((from, to) => {
        const stepAt = (x: number) => Number(chart.current?.convertFromPixel({ xAxisIndex: 0 }, x));
        const steps = stepsBetween(stepAt(from), stepAt(to), stepCount);
        if (steps) onSteps(steps);
      }),
  );
