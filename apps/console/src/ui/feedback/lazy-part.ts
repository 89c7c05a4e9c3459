import { type ComponentType, lazy } from 'react';
import { loadChunk } from './load-error.ts';

const whenOnline = (): Promise<void> =>
  new Promise((go) => {
    if (navigator.onLine) go();
    else window.addEventListener('online', () => go(), { once: true });
  });

/**
 * A part that opens over a screen, with code of its own. Inside an `ErrorBoundary`, so that the screen below and what was
 * typed into it stay. A browser remembers that a file did not arrive, so none is asked for without a network.
 */
export const lazyPart = <P>(load: () => Promise<{ default: ComponentType<P> }>) =>
  lazy(async () => {
    await whenOnline();
    return loadChunk(load);
  });
