/** What costs a look at much, kept for a while and asked for once where several ask at the same time. */
export interface Recent<T> {
  of(key: string, read: () => Promise<T>): Promise<T>;
}

const maxKeys = 500;

/** `nowMs` is monotonic: a clock that is set must not make an answer old or new. */
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
