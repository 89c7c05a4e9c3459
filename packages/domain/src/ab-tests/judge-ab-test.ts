/** Which variant of an A/B test leads, and whether that is more than chance. */

export interface VariantResult {
  /** What the result is a share of: accepted, or delivered. */
  readonly count: number;
  /** Of those, with the result: delivered, or opened by a person. */
  readonly good: number;
}

export interface ShareInterval {
  /** 0 to 1. */
  readonly low: number;
  readonly high: number;
}

export interface AbJudgement {
  /** The variant with the largest share; null: nothing to compare. */
  readonly leader: number | null;
  /** The other variant that comes closest to it. */
  readonly rival: number | null;
  /** The leader's share less the rival's, with its interval of confidence; null without two shares. */
  readonly difference: (ShareInterval & { readonly value: number }) | null;
  /** The interval reaches to no difference. */
  readonly isWithinChance: boolean;
}

/**
 * Two-sided 95 % for all pairs of two, three or four variants together (Bonferroni): the leader is chosen after looking,
 * so each of 1, 3 or 6 pairs may be the one that is reported.
 */
const PAIRS_Z = [1.959964, 1.959964, 1.959964, 2.39398, 2.638257];
const SHARE_Z = 1.959964;

const shareOf = ({ count, good }: VariantResult): number => good / count;

/** Interval of a share at 95 % (E. B. Wilson, 1927). */
export const intervalOf = (result: VariantResult): ShareInterval | null =>
  result.count === 0 ? null : wilson(result, SHARE_Z);

function wilson({ count, good }: VariantResult, z: number): ShareInterval {
  const p = good / count;
  const z2 = z * z;
  const middle = p + z2 / (2 * count);
  const spread = z * Math.sqrt((p * (1 - p)) / count + z2 / (4 * count * count));
  const scale = 1 + z2 / count;
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) };
}

/** Interval of the difference of two shares (R. G. Newcombe, 1998, method 10). */
function differ(one: VariantResult, other: VariantResult, z: number): ShareInterval & { value: number } {
  const [p, q] = [shareOf(one), shareOf(other)];
  const [a, b] = [wilson(one, z), wilson(other, z)];
  const value = p - q;
  return { value, low: value - Math.hypot(p - a.low, b.high - q), high: value + Math.hypot(a.high - p, q - b.low) };
}

/** Variants of which nothing was counted take no part. */
export function judgeAbTest(variants: readonly VariantResult[]): AbJudgement {
  const indexes = variants.flatMap((each, index) => (each.count > 0 ? [index] : []));
  const [first, ...others] = indexes;
  if (first === undefined) return { leader: null, rival: null, difference: null, isWithinChance: true };
  const of = (index: number): VariantResult => variants[index] ?? { count: 0, good: 0 };
  const leader = others.reduce((best, index) => (shareOf(of(index)) > shareOf(of(best)) ? index : best), first);
  const z = PAIRS_Z[variants.length] ?? PAIRS_Z[4] ?? 0;
  const rivals = indexes
    .filter((index) => index !== leader)
    .map((rival) => ({ rival, difference: differ(of(leader), of(rival), z) }))
    .sort((a, b) => a.difference.low - b.difference.low);
  const [closest] = rivals;
  if (closest === undefined) return { leader, rival: null, difference: null, isWithinChance: true };
  return { leader, ...closest, isWithinChance: closest.difference.low <= 0 };
}
