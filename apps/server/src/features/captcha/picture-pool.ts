/**
 * Pictures drawn ahead, so that nobody waits for one: drawing takes some 40 ms. One is drawn at a time; each is given
 * out once. Nothing is drawn before the first is asked for.
 */
import { drawPuzzle, type Puzzle } from './draw-puzzle.ts';
import type { Theme } from './scene.ts';

const readyOfTheme = 4;
const maxWaiting = 100;

export interface PicturePool {
  /** Null: more wait for a picture than could be drawn in a few seconds. */
  take(theme: Theme): Promise<Puzzle | null>;
}

type Draw = (theme: Theme) => Promise<Puzzle>;

/** `draw`: a test counts them. */
export function makePicturePool(signal: AbortSignal, draw: Draw = drawPuzzle): PicturePool {
  const ready: Record<Theme, Puzzle[]> = { light: [], dark: [] };
  let waiting = 0;
  let line: Promise<unknown> = Promise.resolve();

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
    async take(theme) {
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
