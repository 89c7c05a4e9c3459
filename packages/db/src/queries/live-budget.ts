/**
 * How many events of messages one process writes for streams: a bucket for each customer that is listened to. A stream
 * shows no more than that, and a large send must cost the same while someone looks on (decision 162).
 */
const perSecond = 200;
const burst = 1_000;
/** Customers that are listened to at a time; more are forgotten, which lends them a burst. */
const mostBuckets = 1_000;

interface Bucket {
  left: number;
  atMs: number;
}
const buckets = new Map<string, Bucket>();

/** Returns how many of `wanted` events may be written now. */
export function takeLiveBudget(ownerId: string, wanted: number, nowMs: number = performance.now()): number {
  const { left, atMs } = buckets.get(ownerId) ?? { left: burst, atMs: nowMs };
  const has = Math.min(burst, left + ((nowMs - atMs) * perSecond) / 1_000);
  const granted = Math.min(wanted, Math.floor(has));
  if (buckets.size >= mostBuckets) buckets.clear();
  buckets.set(ownerId, { left: has - granted, atMs: nowMs });
  return granted;
}
