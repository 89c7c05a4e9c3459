/** The thread that draws: one picture for each message, in their order. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { drawPuzzle } from './draw-puzzle.ts';
import type { Theme } from './scene.ts';

interface Drawing {
  readonly theme: Theme;
  /** The parent, unless named. */
  readonly answerTo?: MessagePort;
}

if (parentPort === null) throw new Error('draw-worker runs as a thread');
const parent = parentPort;
let line: Promise<void> = Promise.resolve();
parent.on('message', ({ theme, answerTo = parent }: Drawing) => {
  // A failure ends the thread: the callers are rejected, and the next picture starts another.
  line = line.then(async () => answerTo.postMessage(await drawPuzzle(theme)));
});
