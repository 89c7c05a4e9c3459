/** Colours of a chart's lines, as names of the palette: of states where outcomes are stacked, otherwise of series. */
import type { ChartType, StatisticsMetric } from '@pahatid/contract';
import type { Palette } from '../../ui/theme/tokens.ts';
import { colorPlaces, currentLines, type Line, lineKey } from './chart-lines.ts';
import { isOutcome, isRate } from './view.ts';

export type Tone = keyof Palette;

const seriesTones = ['chart1', 'chart2', 'chart3', 'chart4', 'chart5', 'chart6', 'chart7', 'chart8'] as const;
const outcomeTones: Partial<Record<StatisticsMetric, Tone>> = {
  receiptSuccessNum: 'fill',
  receiptUnknownNum: 'fillHalf',
  receiptFailNum: 'dangerFill',
  reqFailNum: 'warningFill',
};

export const seriesTone = (place: number): Tone => seriesTones[place] ?? 'chart1';

/** Whether the lines are parts of one whole that mean the same everywhere: outcomes of undivided requests. */
export function areOutcomes(lines: readonly Line[]): boolean {
  const current = currentLines(lines);
  return (
    current.length > 1 &&
    new Set(current.map(({ group }) => group.key)).size === 1 &&
    current.every(({ metric }) => isOutcome(metric))
  );
}

/** Bars of one pane are stacked if they share one count, or are outcomes. */
export const isStacked = (lines: readonly Line[], metrics: readonly StatisticsMetric[]): boolean => {
  const [metric, ...others] = metrics;
  if (metric === undefined || isRate(metric)) return false;
  return others.length > 0
    ? areOutcomes(lines)
    : currentLines(lines).filter((line) => line.metric === metric).length > 1;
};

export function tonesOf(lines: readonly Line[], type: ChartType): Tone[] {
  const hasStates = type !== 'line' && areOutcomes(lines);
  const places = type === 'pie' ? lines.map((_, index) => index) : colorPlaces(lines);
  const keys = new Set(currentLines(lines).map(lineKey));
  // The sum of a stack has no separate line.
  const isSum = (line: Line) => line.isBefore && !keys.has(lineKey(line));
  return lines.map((line, index) => {
    if (isSum(line)) return 'ink3';
    return (hasStates && outcomeTones[line.metric]) || seriesTone(places[index] ?? 0);
  });
}

/** The tone as a variable of the style sheet. */
export const toneVar = (tone: Tone): string =>
  `var(--${tone.replaceAll(/[A-Z\d]/g, (each) => `-${each.toLowerCase()}`)})`;
