/**
 * Repeatable randomness: the outcome of a message depends on the seed, its destination and its copy number, not on the
 * order of messages, so that two runs of one test see the same carrier.
 */
const TWO_32 = 4_294_967_296;

/** A number in [0, 1) that is always the same for the same seed, text and number. */
export function hashedChance(seed: number, text: string, nth: number): number {
  let hash = (seed ^ 0x9e3779b9) >>> 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return finish(hash ^ Math.imul(nth + 1, 0x85ebca6b)) / TWO_32;
}

/** A sequence of numbers in [0, 1). */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    return finish(state) / TWO_32;
  };
}

function finish(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Milliseconds, drawn evenly between two bounds; the last `tailShare` of them between `toMs` and `tailMs`. */
export type Span = { fromMs: number; toMs: number; tailShare?: number; tailMs?: number };

export function drawFrom(span: Span, chance: number): number {
  const { fromMs, toMs, tailShare = 0, tailMs = toMs } = span;
  const usual = 1 - tailShare;
  if (chance >= usual) return toMs + ((chance - usual) / tailShare) * (tailMs - toMs);
  return fromMs + (chance / usual) * (toMs - fromMs);
}

/** Whether every draw is 0. */
export function isZero({ toMs, tailShare = 0 }: Span): boolean {
  return toMs === 0 && tailShare === 0;
}
