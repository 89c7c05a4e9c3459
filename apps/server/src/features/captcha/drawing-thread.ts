/**
 * Draws pictures in a separate thread: some 100 ms of CPU each, during which the event loop serves others. The thread
 * starts with the first picture, ends with the server, and is restarted if it dies.
 */
import { Worker } from 'node:worker_threads';
import type { Puzzle } from './draw-puzzle.ts';
import type { Theme } from './scene.ts';

export type Draw = (theme: Theme) => Promise<Puzzle>;

interface Waiting {
  readonly resolve: (puzzle: Puzzle) => void;
  readonly reject: (error: Error) => void;
}

export function makeDrawingThread(signal: AbortSignal): Draw {
  let thread: Worker | null = null;
  /** In request order, which is the order of the responses. */
  let waiting: Waiting[] = [];

  const fail = (error: Error): void => {
    thread = null;
    const failed = waiting;
    waiting = [];
    for (const { reject } of failed) reject(error);
  };
  const start = (): Worker => {
    // Not the flags of this process: none of them concerns a drawing.
    const started = new Worker(new URL('./draw-worker.ts', import.meta.url), { execArgv: [], name: 'captcha' });
    // A drawing in progress does not keep the process alive.
    started.unref();
    started.on('message', ({ background, piece, position, top }: Puzzle) =>
      waiting.shift()?.resolve({ background: Buffer.from(background), piece: Buffer.from(piece), position, top }),
    );
    started.on('error', fail);
    started.on('exit', (code) => started === thread && fail(new Error(`the drawing thread ended (${code})`)));
    return started;
  };
  signal.addEventListener('abort', () => void thread?.terminate(), { once: true });

  return (theme) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      thread ??= start();
      waiting.push({ resolve, reject });
      thread.postMessage({ theme });
    });
}
