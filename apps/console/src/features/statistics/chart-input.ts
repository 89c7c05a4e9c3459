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
  still: boolean;
  /** Returns a metric's label, above its pane. */
  metricName: (metric: StatisticsMetric) => string;
  short: (value: number) => string;
  percent: (value: number) => string;
}
