/** A cause is reported again after this, if it still occurs. */
const repeatAfterMs = 60_000;
/** Causes remembered; the one reported longest ago is forgotten first, and would be reported again. */
const mostCauses = 100;

interface Reported {
  atMs: number;
  /** Occurrences since that were not reported. */
  skipped: number;
}

/**
 * Returns a function that reports a failed step once per cause, and then at most once a minute with how often it
 * occurred since: an engine that retries every few milliseconds would otherwise fill the log while its database is
 * away. Unlike `reportChanges` it needs no sign of success, and two causes that alternate stay quiet.
 */
export function limitReports(
  report: (what: string, error: unknown, count: number) => void,
  nowMs: () => number = () => performance.now(),
): (what: string, error: unknown) => void {
  const causes = new Map<string, Reported>();
  return (what, error) => {
    const cause = `${what} ${String(error)}`;
    const atMs = nowMs();
    const last = causes.get(cause);
    if (last !== undefined && atMs - last.atMs < repeatAfterMs) {
      last.skipped += 1;
      return;
    }
    causes.delete(cause);
    const [oldest] = causes.keys();
    if (oldest !== undefined && causes.size >= mostCauses) causes.delete(oldest);
    causes.set(cause, { atMs, skipped: 0 });
    report(what, error, (last?.skipped ?? 0) + 1);
  };
}
