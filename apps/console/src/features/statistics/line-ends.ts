/** Labels at the ends of lines, which take the place of a legend where there is room. */
import type { ChartType } from '@pahatid/contract';
import { textWidth } from '../../ui/charts/chart-scale.ts';
import { type Line, panesOf } from './chart-lines.ts';
import type { End } from './echart.tsx';
import { isRate } from './view.ts';

/** Swatch, gaps and margin of a label. */
const aroundPx = 44;
/** Share of the width that labels may take. */
const mostShare = 0.32;

/** Returns the last point of each current line; none where the lines have no common end. */
export function findEnds(lines: readonly Line[], type: ChartType): End[] {
  const isOfOneKind = new Set(lines.map(({ metric }) => isRate(metric))).size === 1;
  if (type !== 'line' || !isOfOneKind || panesOf(lines).length > 1) return [];
  return lines.flatMap(({ isBefore, values }, line) => {
    const at = values.findLastIndex((value) => value !== null);
    const value = values[at];
    return isBefore || value === undefined || value === null ? [] : [{ line, at, value }];
  });
}

/** Returns the room that labels need; null if that is more than the picture can spare. */
export function endRoomOf(texts: readonly string[], width: number): number | null {
  if (texts.length === 0) return null;
  const room = Math.ceil(Math.max(...texts.map(textWidth)) + aroundPx);
  return room <= width * mostShare ? room : null;
}
