import type { Palette } from '../../ui/theme/tokens.ts';
import type { ChartInput } from './chart-input.ts';
import { decalAt } from './chart-palette.ts';
import { hiddenTooltip } from './chart-tooltip.ts';

export function pieOption(input: ChartInput, palette: Palette) {
  const { lines } = input;
  const whole = lines.reduce((sum, { values: [value] }) => sum + (value ?? 0), 0);
  const share = (value: number) => input.percent(whole === 0 ? 0 : value / whole);
  const shareOfName = (name: string) => share(lines.find((line) => line.name === name)?.values[0] ?? 0);
  return {
    tooltip: hiddenTooltip,
    legend: {
      top: 0,
      type: input.narrow ? 'plain' : 'scroll',
      icon: 'roundRect',
      itemWidth: 12,
      itemHeight: 12,
      textStyle: { color: palette.ink2 },
      // No room for labels next to the pie.
      ...(input.narrow && { formatter: (name: string) => `${name} ${shareOfName(name)}` }),
    },
    series: [
      {
        type: 'pie',
        radius: ['42%', '70%'],
        center: ['50%', input.narrow ? '62%' : '56%'],
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
          itemStyle: { decal: decalAt(index, palette) },
        })),
      },
    ],
  };
}
