import { type ComponentType, lazy } from 'react';
import { loadChunk } from './load-error.ts';

const whenOnline = (): Promise<void> =>
  new Promise((go) => {
    if (navigator.onLine) go();
    else window.addEventListener('online', () => go(), { once: true });
  });

/**
 * A separately loaded part that opens over a screen. Inside an `ErrorBoundary`, so that the screen below and its input
 * remain. A browser remembers that a file failed to load, so none is requested without a network.
 */
export const lazyPart = <P>(load: () => Promise<{ default: ComponentType<P> }>) =>
  lazy(async () => {
    await whenOnline();
    return loadChunk(load);
  });
