/**
 * Pictures drawn ahead, so that no request waits for one. One is drawn at a time; each is used once. Nothing is drawn
 * before the first request. However many requests arrive, this process supplies two a second on average, which bounds
 * the cost of drawing; a reserve remains for known browsers when strangers have used their share.
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

/** `now`: milliseconds of a monotonic clock. */
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
    // A failed picture is drawn again on the next request, and then fails that request.
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
