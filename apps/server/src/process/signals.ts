/** At a terminal Ctrl-C reaches us and npm, and npm passes it on: two signals so close together are one. */
const SAME_MS = 500;

/** The first signal asks; one that comes later does so again, with less patience. */
export function onceThenAgain(signals: readonly NodeJS.Signals[], first: () => void, again: () => void): void {
  let askedAt: number | null = null;
  for (const signal of signals) {
    process.on(signal, () => {
      if (askedAt === null) {
        askedAt = performance.now();
        first();
      } else if (performance.now() - askedAt > SAME_MS) again();
    });
  }
}
