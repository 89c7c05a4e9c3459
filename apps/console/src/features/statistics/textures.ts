/** Marks, dashes and hatchings that distinguish series where colour can't; loaded once they are wanted. */
import { dark, type Palette } from '../../ui/theme/tokens.ts';
import './textures.css';

const symbols = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect', 'emptyTriangle', 'emptyDiamond'];
const dashes = ['solid', 'solid', 'dashed', 'dotted'] as const;

export const symbolAt = (place: number) => symbols[place];
export const dashAt = (place: number) => dashes[Math.floor(place / 2) % dashes.length];

/** Returns the hatching over a series' colour, as ECharts calls it: its decal. */
export function decalAt(index: number, palette: Palette) {
  const color = palette === dark ? 'rgba(0, 0, 0, 0.35)' : 'rgba(255, 255, 255, 0.5)';
  const decals = [
    { symbolSize: 0, color: 'transparent' },
    { symbol: 'rect', rotation: Math.PI / 4, dashArrayX: [1, 0], dashArrayY: [2, 6], color },
    {
      symbol: 'circle',
      symbolSize: 0.7,
      dashArrayX: [
        [4, 4],
        [0, 4, 4, 0],
      ],
      dashArrayY: [5, 0],
      color,
    },
    { symbol: 'rect', rotation: -Math.PI / 4, dashArrayX: [1, 0], dashArrayY: [2, 6], color },
    { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 5], color },
    { symbol: 'rect', rotation: Math.PI / 2, dashArrayX: [1, 0], dashArrayY: [2, 5], color },
    { symbol: 'triangle', symbolSize: 0.7, dashArrayX: [[6, 6]], dashArrayY: [8, 2], color },
    { symbol: 'rect', symbolSize: 0.6, dashArrayX: [[4, 4]], dashArrayY: [8, 4], color },
  ];
  return decals[index % decals.length];
}
