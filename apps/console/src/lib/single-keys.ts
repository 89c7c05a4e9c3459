import { useSyncExternalStore } from 'react';

/** Whether single-key shortcuts are on. Users of voice input or with a tremor turn them off; Ctrl K stays. */
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
    // Without storage the setting lasts until the page is closed.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSingleKeys = (): boolean => useSyncExternalStore(subscribe, areSingleKeysOn);
