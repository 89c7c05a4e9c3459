/** Caches values that are expensive to read; concurrent requests share one read. */
export interface Recent<T> {
  of(key: string, read: () => Promise<T>): Promise<T>;
}

const maxKeys = 500;

/** `nowMs` is monotonic: a clock change must not affect the age of a value. */
export function makeRecent<T>(keepMs: number, nowMs: () => number = () => performance.now()): Recent<T> {
  const kept = new Map<string, { at: number; answer: Promise<T> }>();
  return {
    of(key, read) {
      const before = kept.get(key);
      if (before !== undefined && nowMs() - before.at < keepMs) return before.answer;
      const entry = { at: nowMs(), answer: read() };
      entry.answer.catch(() => {
        if (kept.get(key) === entry) kept.delete(key);
      });
      kept.delete(key);
      kept.set(key, entry);
      if (kept.size > maxKeys) kept.delete(kept.keys().next().value ?? '');
      return entry.answer;
    },
  };
}
