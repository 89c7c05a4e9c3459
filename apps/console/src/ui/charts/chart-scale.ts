/** Arithmetic of bar charts: round numbers for the axis, and which ticks have room. */

const roundSteps = [1, 2, 2.5, 5, 10] as const;

/**
 * Returns the values of the grid lines from zero to the first round step at or above the largest value; whole numbers
 * only. `lines` is the maximum number of steps.
 */
export function gridValues(largest: number, lines = 4): number[] {
  const wanted = Math.max(1, largest) / lines;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const whole = Math.ceil(power * (roundSteps.find((round) => round * power >= wanted) ?? 10));
  const count = Math.max(1, Math.ceil(largest / whole));
  return Array.from({ length: count + 1 }, (_, index) => index * whole);
}

/**
 * Returns the interval of labels in bars: the smallest of `steps` at which labels of `labelWidth` pixels do not touch.
 */
export function tickStep(bars: number, width: number, labelWidth: number, steps: readonly number[]): number {
  const wanted = bars === 0 ? 1 : (labelWidth * bars) / Math.max(1, width);
  return steps.find((step) => step >= wanted) ?? steps.at(-1) ?? 1;
}

export interface Span {
  /** Pixels from the top. */
  top: number;
  height: number;
}

/**
 * Stacks the parts of one bar, the first lowest, with `gap` pixels between. A part that is not zero is at least `least`
 * pixels high, so that one failure among thousands is visible.
 */
export function stackBar(
  values: readonly number[],
  { highest, height, gap = 1.5, least = 2 }: { highest: number; height: number; gap?: number; least?: number },
): (Span | null)[] {
  let bottom = height;
  return values.map((value) => {
    if (value <= 0 || highest <= 0) return null;
    const full = Math.max(least, (value / highest) * height);
    const top = bottom - full;
    // The gap is subtracted from the part itself, so that the sum matches the axis.
    const shown = Math.max(least, full - gap);
    bottom = top;
    return { top: top + full - shown, height: shown };
  });
}

/** About how many pixels a text of 12 pixels takes: Chinese characters are as wide as the text is high, Latin ones half. */
export const textWidth = (text: string): number =>
  Array.from(text).reduce((sum, letter) => sum + (letter.charCodeAt(0) > 0x2e80 ? 12 : 6.8), 0);
