import { useSyncExternalStore } from 'react';

/** Which of the two windows of the keyboard is open. */
export type PaletteWindow = 'palette' | 'shortcuts' | null;

let shown: PaletteWindow = null;
const listeners = new Set<() => void>();

/** Text typed while the palette's code was loading. */
let ahead: string | null = null;

export function showPalette(next: PaletteWindow): void {
  shown = next;
  ahead = next === 'palette' ? '' : null;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const usePaletteWindow = (): PaletteWindow => useSyncExternalStore(subscribe, () => shown);

/** A key for the palette that is not there yet; false when it is, and hears for itself. */
export function typeAhead(key: string): boolean {
  if (ahead === null) return false;
  ahead += key;
  return true;
}

/** Called when the palette is loaded: returns the text typed so far. */
export function takeTypedAhead(): string {
  const typed = ahead ?? '';
  ahead = null;
  return typed;
}
