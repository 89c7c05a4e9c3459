/**
 * Attempts admitted in this process and not yet decided. An attempt is counted as a failure in advance, so several
 * users of one office signing in at the same moment could reach a limit of failures with none: an attempt refused while
 * others are being compared waits for one of them to end, and retries.
 */
export interface PendingTries {
  /**
   * Counts a try, again for as long as that is worth it: what refused it may have been tries that are decided by now.
   * An admitted one is being compared, under all of its keys, until `over` is called.
   */
  admit<T>(count: () => Promise<T>, outcomeOf: (counted: T) => Outcome): Promise<{ counted: T; over: () => void }>;
}

/** The keys that an admitted attempt was counted for, or the one whose limit refused it. */
export type Outcome = { readonly keys: readonly string[] } | { readonly full: string };

/** More than an office; a crowd beyond it is refused without waiting. */
const maxWaiting = 30;
/** A woken attempt that meets another limit, or a fault, wakes no other: the next one polls. */
const patienceMs = 5_000;

export function makePendingTries(): PendingTries {
  const running = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();
  /** Being counted: the database may have admitted them before this process knows. Each resolves to its keys. */
  const asking = new Set<Promise<readonly string[]>>();
  /** When an attempt of a key was last decided, stored while there is one that was counted before it. */
  const decided = new Map<string, number>();
  let decisions = 0;

  /** One at a time: the woken one ends in `another` once more, or is admitted and decided, and so wakes the next. */
  const wakeNext = (key: string): void => {
    const line = waiting.get(key);
    const wake = line?.shift();
    if (line?.length === 0) waiting.delete(key);
    wake?.();
  };

  const begin = (keys: readonly string[]): (() => void) => {
    for (const key of keys) running.set(key, (running.get(key) ?? 0) + 1);
    return () => {
      decisions += 1;
      for (const key of keys) {
        const left = (running.get(key) ?? 1) - 1;
        if (left === 0) running.delete(key);
        else running.set(key, left);
        if (asking.size > 0) decided.set(key, decisions);
        wakeNext(key);
      }
    };
  };

  const waitInLine = async (key: string): Promise<boolean> => {
    const line = waiting.get(key) ?? [];
    if (line.length >= maxWaiting) return false;
    waiting.set(key, line);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        line.splice(line.indexOf(wake), 1);
        resolve();
      }, patienceMs);
      const wake = (): void => {
        clearTimeout(timer);
        resolve();
      };
      line.push(wake);
    });
    return true;
  };

  /** Whether another try of the key was decided, or will be, since `since`. */
  const another = async (key: string, since: number): Promise<boolean> => {
    if (running.has(key)) return await waitInLine(key);
    // Refused because of an attempt that has been decided meanwhile, or whose admission is not yet known.
    if ((decided.get(key) ?? 0) > since) return true;
    const admitted = await Promise.all(asking);
    if (admitted.some((keys) => keys.includes(key))) return true;
    // No other attempt will be decided: waiting ones are still woken in turn.
    wakeNext(key);
    return false;
  };

  const admitOnce = async <T>(count: () => Promise<T>, outcomeOf: (counted: T) => Outcome) => {
    const since = decisions;
    const counting = count();
    const admitted = counting.then(
      (counted) => {
        const outcome = outcomeOf(counted);
        return 'keys' in outcome ? outcome.keys : [];
      },
      () => [],
    );
    asking.add(admitted);
    try {
      const counted = await counting;
      const outcome = outcomeOf(counted);
      if ('keys' in outcome) return { counted, over: begin(outcome.keys) };
      asking.delete(admitted);
      return (await another(outcome.full, since)) ? null : { counted, over: () => undefined };
    } finally {
      asking.delete(admitted);
      if (asking.size === 0) decided.clear();
    }
  };

  return {
    async admit(count, outcomeOf) {
      for (;;) {
        const done = await admitOnce(count, outcomeOf);
        if (done !== null) return done;
      }
    },
  };
}
