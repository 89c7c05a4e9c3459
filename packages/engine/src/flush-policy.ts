/**
 * When to commit. Immediately if that allows waiting messages to be sent; else results wait a little to be grouped,
 * because a commit costs the same for one row and for many.
 */
const FLUSH_IDLE_MS = 50;
const FLUSH_LOADED_MS = 250;
export const FLUSH_RESULTS = 2_000;
/** Under load a window of some size is worth waiting this long for. */
const FLUSH_GATHER_MS = 10;
/** The share of a window that is worth an immediate commit. */
const WORTH = 0.25;

export interface FlushView {
  /** Results, receipts and marks that no flush has taken. */
  readonly pending: number;
  /** When the first of them came. */
  readonly pendingSince: number;
  /** When something could first be granted. */
  readonly grantableSince: number;
  /** Segments that could be granted now. */
  readonly grantable: number;
  /** Segments that windows and pace would allow if nothing were open. */
  readonly allowance: number;
  /** Nothing is on the wire although something could be granted, or a code waits. */
  readonly urgent: boolean;
  /** Something waits for a window. */
  readonly loaded: boolean;
}

/** Returns when to flush, in the clock's milliseconds; `now` for immediately, null for no need. */
export const flushAt = (view: FlushView, now: number): number | null => {
  if (view.grantable > 0) {
    if (view.urgent || view.grantable >= view.allowance * WORTH) return now;
    return Math.min(view.grantableSince + FLUSH_GATHER_MS, resultsAt(view, now) ?? Number.POSITIVE_INFINITY);
  }
  return resultsAt(view, now);
};

const resultsAt = (view: FlushView, now: number): number | null => {
  if (view.pending === 0) return null;
  if (view.pending >= FLUSH_RESULTS) return now;
  return view.pendingSince + (view.loaded ? FLUSH_LOADED_MS : FLUSH_IDLE_MS);
};
