/**
 * Tries of this process that were admitted and are not yet decided. A try is counted as a failure in advance, so several
 * people of one office who sign in at the same moment could reach a limit of failures with none: who is refused while
 * others are being compared waits for one of them to end, and tries again.
 */
export interface PendingTries {
  /** An admitted try is being compared, under all of its keys; answers how to say that it is decided. */
  begin(keys: readonly string[]): () => void;
  /** Whether it is worth trying again: true when another try of the key was decided, false where none is under way. */
  another(key: string): Promise<boolean>;
}

/** More than an office; a crowd beyond it is refused without waiting. */
const maxWaiting = 30;
/** A woken try that meets another limit, or a fault, wakes nobody: the next looks by itself. */
const patienceMs = 5_000;

export function makePendingTries(): PendingTries {
  const running = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();

  /** One at a time: the woken one ends in `another` once more, or is admitted and decided, and so wakes the next. */
  const wakeNext = (key: string): void => {
    const line = waiting.get(key);
    const wake = line?.shift();
    if (line?.length === 0) waiting.delete(key);
    wake?.();
  };

  return {
    begin(keys) {
      for (const key of keys) running.set(key, (running.get(key) ?? 0) + 1);
      return () => {
        for (const key of keys) {
          const left = (running.get(key) ?? 1) - 1;
          if (left === 0) running.delete(key);
          else running.set(key, left);
          wakeNext(key);
        }
      };
    },
    async another(key) {
      if (!running.has(key)) {
        // Nobody else will be decided: whoever waits still learns it in turn.
        wakeNext(key);
        return false;
      }
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
    },
  };
}
