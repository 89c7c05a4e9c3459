import { useDrag } from './use-drag.tsx';

/** Selects bars by dragging over them. */
export const useBarBrush = (
  indexAt: (x: number) => number,
  count: number,
  onBrush: ((from: number, to: number) => void) | undefined,
) =>
  useDrag(
    onBrush &&
      ((from, to) => {
        const bars = barsBetween(indexAt(from), indexAt(to), count);
        if (bars) onBrush(...bars);
      }),
  );

/** The bars between two places, in their order, whichever way they run; what lies outside is the first or the last. */
function barsBetween(one: number, other: number, count: number): [number, number] | null {
  if (count === 0) return null;
  const bound = (index: number) => Math.min(count - 1, Math.max(0, index));
  return [bound(Math.min(one, other)), bound(Math.max(one, other))];
}
