/**
 * When to commit. Immediately if that allows waiting messages to be sent; else results wait a little to be grouped,
 * because a commit costs the same for one row and for many.
 */
const FLUSH_IDLE_MS = 50;
const FLUSH_LOADED_MS = 250;
export const FLUSH_RESULTS = 2_000;
/** Where notices or an idle account wait while others write what was granted, and less could be granted than is worth it. */
const FLUSH_GATHER_MS = 50;

export interface FlushView {
  /** Results, receipts and marks that no flush has taken. */
  readonly pending: number;
  /** When the first of them came. */
  readonly pendingSince: number;
  /** When something could first be granted; null: nothing can. */
  readonly grantableSince: number | null;
  /** What waits goes before what is being written, or its account writes nothing. */
  readonly ahead: boolean;
  /** Nothing is on the wire, a code waits for a flush, or much could be granted on all accounts together. */
  readonly urgent: boolean;
  /** Messages wait to be granted: the next flush is never far. */
  readonly loaded: boolean;
}

/** Returns when to flush, in the clock's milliseconds; `now` for immediately, null for no need. */
export const flushAt = (view: FlushView, now: number): number | null => {
  const results = resultsAt(view, now);
  if (view.grantableSince === null) return results;
  if (view.urgent) return now;
  const gatherMs = view.ahead ? FLUSH_GATHER_MS : FLUSH_LOADED_MS;
  return Math.min(view.grantableSince + gatherMs, results ?? Number.POSITIVE_INFINITY);
};

const resultsAt = (view: FlushView, now: number): number | null => {
  if (view.pending === 0) return null;
  if (view.pending >= FLUSH_RESULTS) return now;
  return view.pendingSince + (view.loaded ? FLUSH_LOADED_MS : FLUSH_IDLE_MS);
};
