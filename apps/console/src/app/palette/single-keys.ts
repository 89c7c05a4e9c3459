import { useSyncExternalStore } from 'react';

/** Whether keys act by themselves. Who speaks to the device, or has a hand that slips, turns them off; Ctrl K stays. */
const storageKey = 'pahatid_single_keys';
const listeners = new Set<() => void>();

function read(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off';
  } catch {
    return true;
  }
}

let on = read();

export const areSingleKeysOn = (): boolean => on;

export function setSingleKeys(next: boolean): void {
  on = next;
  try {
    localStorage.setItem(storageKey, next ? 'on' : 'off');
  } catch {
    // It holds for as long as the page lives.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSingleKeys = (): boolean => useSyncExternalStore(subscribe, areSingleKeysOn);
