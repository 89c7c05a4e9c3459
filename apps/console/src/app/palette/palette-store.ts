import { useSyncExternalStore } from 'react';

/** Which of the two windows of the keyboard is open. */
export type PaletteWindow = 'palette' | 'shortcuts' | null;

let shown: PaletteWindow = null;
const listeners = new Set<() => void>();

export function showPalette(next: PaletteWindow): void {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const usePaletteWindow = (): PaletteWindow => useSyncExternalStore(subscribe, () => shown);
