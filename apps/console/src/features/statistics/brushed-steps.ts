export interface BrushedSteps {
  first: number;
  last: number;
}

/**
 * Returns the steps between two places of the time axis, in whichever direction it runs; null if that is fewer than two
 * steps, which are no course of time.
 */
export function stepsBetween(a: number, b: number, count: number): BrushedSteps | null {
  if (Number.isNaN(a) || Number.isNaN(b)) return null;
  const clamp = (step: number) => Math.max(0, Math.min(count - 1, Math.round(step)));
  const [first, last] = [clamp(Math.min(a, b)), clamp(Math.max(a, b))];
  return last > first ? { first, last } : null;
}
