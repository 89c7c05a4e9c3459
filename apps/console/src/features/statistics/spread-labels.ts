/** Height of a label at the end of a line, pixels. */
export const labelHeight = 17;

/**
 * Moves labels apart so that none covers another, each as near to its place as that allows and none below `bottom`.
 * Returns the places in the given order.
 */
export function spreadLabels(places: readonly number[], bottom: number, gap = labelHeight): number[] {
  const order = places.map((_, index) => index).toSorted((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  const spread = [...places];
  let free = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    spread[index] = Math.max(spread[index] ?? 0, free);
    free = (spread[index] ?? 0) + gap;
  }
  let lowest = bottom;
  for (const index of order.toReversed()) {
    spread[index] = Math.min(spread[index] ?? 0, lowest);
    lowest = (spread[index] ?? 0) - gap;
  }
  return spread;
}
