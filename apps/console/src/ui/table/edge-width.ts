import { columnWidths } from '@pahatid/contract';

const stepPx = 8;
const fastStepPx = 48;

/** The width that a key on a column's edge leads to; null: the key has no meaning there. */
export function toEdgeWidth(
  key: string,
  width: number,
  { isRtl, isFast }: { isRtl: boolean; isFast: boolean },
): number | null {
  if (key === 'Home') return columnWidths.min;
  if (key === 'End') return columnWidths.max;
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
  const isWider = (key === 'ArrowRight') !== isRtl;
  return width + (isWider ? 1 : -1) * (isFast ? fastStepPx : stepPx);
}
