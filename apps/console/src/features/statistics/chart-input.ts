import type { ChartType, StatisticsMetric } from '@pahatid/contract';
import type { Line } from './chart-lines.ts';

/** What a chart shows and how: all that its options are made from. */
export interface ChartInput {
  type: ChartType;
  lines: readonly Line[];
  /** Labels under the axis. */
  ticks: readonly string[];
  mode: 'light' | 'dark';
  rtl: boolean;
  narrow: boolean;
  /** Space for labels at the ends of lines, pixels; null: there are none. */
  endRoom: number | null;
  /** What distinguishes series where colour can't; null: not wanted. */
  textures: typeof import('./textures.ts') | null;
  still: boolean;
  /** Returns a metric's label, above its pane. */
  metricName: (metric: StatisticsMetric) => string;
  short: (value: number) => string;
  percent: (value: number) => string;
}
