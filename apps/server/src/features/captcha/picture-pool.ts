/**
 * Pictures drawn ahead, so that nobody waits for one. One is drawn at a time; each is given out once. Nothing is drawn before
 * the first is asked for. However many ask, this process gives out two a second over a while, which bounds what drawing
 * costs it; known browsers find some left when strangers have had theirs.
 */
import type { Puzzle } from './draw-puzzle.ts';
import type { Draw } from './drawing-thread.ts';
import type { Theme } from './scene.ts';

const readyOfTheme = 4;
const maxWaiting = 100;
const perSecond = 2;
const atOnce = 120;
const reservedForKnown = 20;

export interface PicturePool {
  /** Null: more are asked for than this process draws. */
  take(theme: Theme, isKnown: boolean): Promise<Puzzle | null>;
}

/** `now`: milliseconds of a clock that only goes forward. */
export function makePicturePool(signal: AbortSignal, draw: Draw, now = () => performance.now()): PicturePool {
  const ready: Record<Theme, Puzzle[]> = { light: [], dark: [] };
  let waiting = 0;
  let line: Promise<unknown> = Promise.resolve();
  let left = atOnce;
  let countedAt = now();

  const admit = (isKnown: boolean): boolean => {
    const at = now();
    left = Math.min(atOnce, left + ((at - countedAt) / 1_000) * perSecond);
    countedAt = at;
    if (left < (isKnown ? 1 : reservedForKnown + 1)) return false;
    left -= 1;
    return true;
  };

  const drawNext = (theme: Theme): Promise<Puzzle> => {
    const drawn = line.then(() => draw(theme));
    line = drawn.catch(() => undefined);
    return drawn;
  };
  const fill = async (theme: Theme): Promise<void> => {
    while (ready[theme].length < readyOfTheme && waiting === 0 && !signal.aborted)
      ready[theme].push(await drawNext(theme));
  };
  let isFilling = false;
  const startFilling = (theme: Theme): void => {
    if (isFilling) return;
    isFilling = true;
    // A picture that failed is drawn again when one is asked for, and then fails whoever asked.
    void fill(theme)
      .catch(() => undefined)
      .finally(() => {
        isFilling = false;
      });
  };

  return {
    async take(theme, isKnown) {
      if (!admit(isKnown)) return null;
      const kept = ready[theme].pop();
      if (kept !== undefined) {
        startFilling(theme);
        return kept;
      }
      if (waiting >= maxWaiting) return null;
      waiting += 1;
      try {
        return await drawNext(theme);
      } finally {
        waiting -= 1;
        startFilling(theme);
      }
    },
  };
}
