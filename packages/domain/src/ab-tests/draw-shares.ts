/** How the recipients of an A/B test are divided by a random order. */

export interface DrawnPart {
  /** Places in the random order: from low, before high. */
  readonly low: number;
  readonly high: number;
}

/** Above every place. */
export const LAST_PLACE = 2 ** 48;

/**
 * The parts of variants with these shares (percent), in their order; what is left is the rest, from the last part's
 * high. Each part has its share of the places to within one; `places` may be in any order, and is sorted.
 */
export function drawShares(places: Float64Array, shares: readonly number[]): DrawnPart[] {
  places.sort();
  let percent = 0;
  let low = 0;
  return shares.map((share) => {
    percent += share;
    const end = Math.round((places.length * percent) / 100);
    const high = places[end] ?? LAST_PLACE;
    const part = { low, high };
    low = high;
    return part;
  });
}
