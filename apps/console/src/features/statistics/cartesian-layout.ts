/** The panes of a line or bar chart, and the space next to them. */
import type { StatisticsMetric } from '@pahatid/contract';
import type { ChartInput } from './chart-input.ts';
import { nameRoom, paneHeight, panesOf } from './chart-lines.ts';

export interface CartesianLayout {
  panes: readonly (readonly StatisticsMetric[])[];
  hasOnePane: boolean;
  /** Space after the last values, pixels. */
  endRoom: number;
}

export function makeLayout({ lines, endRoom }: ChartInput): CartesianLayout {
  const panes = panesOf(lines);
  return { panes, hasOnePane: panes.length === 1, endRoom: endRoom ?? 14 };
}

/** Returns the place of each pane; `axisCount` counts the value axes of all. */
export function gridOption({ rtl, narrow }: ChartInput, layout: CartesianLayout, axisCount: number) {
  const { panes, hasOnePane, endRoom } = layout;
  if (hasOnePane)
    return {
      top: 12,
      bottom: 8,
      containLabel: true,
      left: rtl ? endRoom : 4,
      right: rtl ? 4 : endRoom + (axisCount === 2 ? 8 : 0),
    };
  const side = narrow ? 44 : 52;
  return panes.map((_, pane) => ({
    top: nameRoom + pane * (nameRoom + paneHeight),
    height: paneHeight,
    left: rtl ? endRoom : side,
    right: rtl ? side : endRoom,
  }));
}
