/** Runs work that may be called at any time, one at a time. */
export interface OneAtATime {
  /** Called while it runs, it runs once more after that. Resolves when it has, rejects with its error. */
  run(): Promise<void>;
  /** Resolves when nothing of it runs, whether it failed or not. */
  settled(): Promise<void>;
}

export const oneAtATime = (work: () => Promise<unknown>): OneAtATime => {
  let running: Promise<void> | null = null;
  let again = false;
  const runAll = async (): Promise<void> => {
    try {
      do {
        again = false;
        await work();
      } while (again);
    } finally {
      running = null;
    }
  };
  return {
    run: async () => {
      if (running === null) running = runAll();
      else again = true;
      await running;
    },
    settled: async () => {
      await running?.catch(() => {});
    },
  };
};
