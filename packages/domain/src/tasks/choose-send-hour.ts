/** Which hour of the day had better results than the others, if that is more than chance. */

export interface HourResult {
  /** 0 to 23. */
  readonly hour: number;
  /** Messages sent in the hour. */
  readonly count: number;
  /** Of those, with the result: delivered, or opened. */
  readonly good: number;
}

export interface BestHour extends HourResult {
  /** Of all other hours together. */
  readonly othersCount: number;
  readonly othersGood: number;
}

/** Fewer messages are no evidence. */
export const LEAST_MESSAGES = 500;
/** Two-sided 99 %: 24 hours are compared, and one of them would often be outside of 95 %. */
const Z = 2.576;

/**
 * Returns the hour with the largest share, among those with at least 500 messages, if even the low end of its interval
 * of confidence (Wilson, 99 %) is above the high end of that of all other hours together; otherwise null.
 */
export function chooseSendHour(hours: readonly HourResult[]): BestHour | null {
  const candidates = hours.filter(({ count }) => count >= LEAST_MESSAGES);
  const best = candidates.reduce<HourResult | null>((a, b) => (a === null || shareOf(b) > shareOf(a) ? b : a), null);
  if (best === null) return null;
  const sum = (key: 'count' | 'good'): number => hours.reduce((total, each) => total + each[key], 0) - best[key];
  const others = { count: sum('count'), good: sum('good') };
  if (others.count < LEAST_MESSAGES) return null;
  if (wilson(best).low <= wilson(others).high) return null;
  return { ...best, othersCount: others.count, othersGood: others.good };
}

const shareOf = ({ count, good }: Pick<HourResult, 'count' | 'good'>): number => (count === 0 ? 0 : good / count);

/** Interval of a share (E. B. Wilson, 1927). */
function wilson({ count, good }: Pick<HourResult, 'count' | 'good'>): { low: number; high: number } {
  const p = good / count;
  const z2 = Z * Z;
  const middle = p + z2 / (2 * count);
  const spread = Z * Math.sqrt((p * (1 - p)) / count + z2 / (4 * count * count));
  const scale = 1 + z2 / count;
  return { low: (middle - spread) / scale, high: (middle + spread) / scale };
}
