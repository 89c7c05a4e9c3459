/** The chart as ECharts options. No html: the page's policy refuses the styles of a tooltip. */
import { dark, fontSans, light } from '../../ui/theme/tokens.ts';
import { cartesianOption } from './cartesian-options.ts';
import type { ChartInput } from './chart-input.ts';
import { pieOption } from './pie-options.ts';

export function makeOption(input: ChartInput): Record<string, unknown> {
  const palette = input.mode === 'dark' ? dark : light;
  const shared = {
    textStyle: { fontFamily: fontSans, color: palette.ink2 },
    animation: !input.still,
    animationDuration: 240,
  };
  const option = input.type === 'pie' ? pieOption(input, palette) : cartesianOption(input, palette);
  return { ...shared, ...option };
}
