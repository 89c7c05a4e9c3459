/** Messages per second of running tasks, from the counts that this process happened to read lately. */
const windowMs = 10_000;
const maxTasks = 2_000;

export interface RateTracker {
  /** Records how many messages have a result, and returns the rate over the last ten seconds. */
  rate(taskId: string, done: number): number;
}

/** `nowMs` is monotonic: a clock that is set must not make a rate. */
export function makeRateTracker(nowMs: () => number = () => performance.now()): RateTracker {
  const seen = new Map<string, { at: number; done: number }[]>();
  return {
    rate(taskId, done) {
      const now = nowMs();
      const marks = seen.get(taskId) ?? [];
      // One mark beyond the window is retained, so that the window is always spanned.
      while (marks.length > 1 && now - (marks[1]?.at ?? now) >= windowMs) marks.shift();
      const last = marks.at(-1);
      if (last === undefined || now - last.at >= 200) marks.push({ at: now, done });
      seen.delete(taskId);
      seen.set(taskId, marks);
      if (seen.size > maxTasks) seen.delete(seen.keys().next().value ?? '');
      const first = marks[0];
      if (first === undefined || now - first.at < 500) return 0;
      // A task that was not read for long starts over: its average is not its rate.
      if (now - first.at > 3 * windowMs) {
        seen.set(taskId, [{ at: now, done }]);
        return 0;
      }
      const rate = ((done - first.done) * 1000) / (now - first.at);
      return Math.max(0, Math.round(rate * 10) / 10);
    },
  };
}
