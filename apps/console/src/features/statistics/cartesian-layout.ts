/** The panes of a line or bar chart, and the space next to them. */
import type { StatisticsMetric } from '@pahatid/contract';
import type { ChartInput } from './chart-input.ts';
import { currentLines, type Line, legendRoom, nameRoom, paneHeight, panesOf } from './chart-lines.ts';
import { isRate } from './view.ts';

export interface CartesianLayout {
  panes: readonly (readonly StatisticsMetric[])[];
  hasOnePane: boolean;
  /** Whether each line has its name at its end instead of in a legend. */
  hasEndLabels: boolean;
  /** Space after the last values, pixels. */
  endRoom: number;
}

export function makeLayout({ lines, type, ticks, rtl, narrow }: ChartInput): CartesianLayout {
  const current = currentLines(lines);
  const panes = panesOf(lines);
  const hasOnePane = panes.length === 1;
  // No room at the end of a line in mirrored charts, on phones, and if lines end close together.
  const isRoomy = hasOnePane && !rtl && !narrow && ticks.length > 1 && lines.length === current.length;
  const hasEndLabels = type === 'line' && isRoomy && areEndsApart(current);
  const nameWidths = current.map(({ name }) => name.length * (/[\u2e80-\uffff]/.test(name) ? 13 : 7));
  const endRoom = hasEndLabels ? Math.min(190, Math.max(0, ...nameWidths) + 28) : 14;
  return { panes, hasOnePane, hasEndLabels, endRoom };
}

/** Whether the last values are far enough apart for a line of text at each. */
function areEndsApart(lines: readonly Line[]): boolean {
  const ends = lines.map(({ values }) => values.at(-1) ?? 0).toSorted((a, b) => a - b);
  const all = lines.flatMap(({ values }) => values).filter((value) => value !== null);
  const span = Math.max(...all) - (isRate(lines[0]?.metric ?? 'reqTotalNum') ? Math.min(...all) : 0);
  const sameKind = new Set(lines.map(({ metric }) => isRate(metric))).size <= 1;
  return sameKind && ends.every((end, index) => index === 0 || end - (ends[index - 1] ?? 0) > span * 0.06);
}

/** Returns the place of each pane; `axisCount` counts the value axes of all. */
export function gridOption({ rtl, narrow }: ChartInput, layout: CartesianLayout, axisCount: number) {
  const { panes, hasOnePane, hasEndLabels, endRoom } = layout;
  if (hasOnePane)
    return {
      top: hasEndLabels ? 12 : 40,
      bottom: 8,
      containLabel: true,
      left: rtl ? endRoom : 4,
      right: rtl ? 4 : endRoom + (axisCount === 2 ? 8 : 0),
    };
  const side = narrow ? 44 : 52;
  return panes.map((_, pane) => ({
    top: legendRoom + nameRoom + pane * (nameRoom + paneHeight),
    height: paneHeight,
    left: rtl ? endRoom : side,
    right: rtl ? side : endRoom,
  }));
}
