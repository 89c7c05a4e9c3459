import { useSyncExternalStore } from 'react';

/** The zone in which times are shown. The session sets it; Manila until then. */
const defaultZone = 'Asia/Manila';
let zone = defaultZone;
const listeners = new Set<() => void>();

export function setZone(next: string) {
  if (next === zone || !isZone(next)) return;
  zone = next;
  for (const listener of listeners) listener();
}

function isZone(candidate: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: candidate });
    return true;
  } catch {
    return false;
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const currentZone = () => zone;
export const useZone = () => useSyncExternalStore(subscribe, currentZone, currentZone);
