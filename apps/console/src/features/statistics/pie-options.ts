import type { Palette } from '../../ui/theme/tokens.ts';
import type { ChartInput } from './chart-input.ts';
import { tonesOf } from './chart-tones.ts';
import { hiddenTooltip } from './chart-tooltip.ts';

export function pieOption(input: ChartInput, palette: Palette) {
  const { lines } = input;
  const tones = tonesOf(lines, 'pie');
  const whole = lines.reduce((sum, { values: [value] }) => sum + (value ?? 0), 0);
  const share = (value: number) => input.percent(whole === 0 ? 0 : value / whole);
  return {
    tooltip: hiddenTooltip,
    series: [
      {
        type: 'pie',
        radius: ['48%', '78%'],
        center: ['50%', '50%'],
        avoidLabelOverlap: true,
        cursor: 'default',
        itemStyle: { borderColor: palette.surface, borderWidth: 2, borderRadius: 4 },
        label: {
          show: !input.narrow,
          color: palette.ink,
          lineHeight: 16,
          formatter: ({ name, value }: { name: string; value: number }) => `${name}\n${share(value)}`,
        },
        labelLine: { lineStyle: { color: palette.lineStrong } },
        data: lines.map((line, index) => ({
          name: line.name,
          value: line.values[0] ?? 0,
          itemStyle: { color: palette[tones[index] ?? 'chart1'], decal: input.textures?.decalAt(index, palette) },
        })),
      },
    ],
  };
}
