const dayMs = 86_400_000;
/** Manila has not changed its clock since 1978. */
const manilaMs = 8 * 3_600_000;

/** Older data is deleted: the beginning of the Manila day `days` ago, so that days are deleted as a whole. */
export const retentionHorizonMs = (nowMs: number, days: number): number =>
  Math.floor((nowMs + manilaMs) / dayMs) * dayMs - manilaMs - days * dayMs;
