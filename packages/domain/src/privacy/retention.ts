const dayMs = 86_400_000;
/** Manila has had no other clock since 1978. */
const manilaMs = 8 * 3_600_000;

/** What is older goes: the beginning of the Manila day that lies `days` back, so that a day goes as a whole. */
export const retentionHorizonMs = (nowMs: number, days: number): number =>
  Math.floor((nowMs + manilaMs) / dayMs) * dayMs - manilaMs - days * dayMs;
