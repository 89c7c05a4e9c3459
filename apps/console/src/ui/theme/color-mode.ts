import { useSyncExternalStore } from 'react';

/** The user's choice; `system` follows the device. */
export type ColorChoice = 'light' | 'dark' | 'system';

const storageKey = 'pahatid_theme';
const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
const prefersReducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)');
const listeners = new Set<() => void>();

/** Storage may be unavailable (private windows, blocked cookies); the choice then lasts until the page is closed. */
function readChoice(): ColorChoice {
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

let choice = readChoice();

function currentMode(): 'light' | 'dark' {
  if (choice !== 'system') return choice;
  return prefersDark.matches ? 'dark' : 'light';
}

function announce() {
  document.documentElement.dataset.theme = currentMode();
  for (const listener of listeners) listener();
}

prefersDark.addEventListener('change', announce);
prefersReducedMotion.addEventListener('change', announce);

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Remembers the choice and repaints. */
export function setColorChoice(next: ColorChoice) {
  choice = next;
  try {
    if (next === 'system') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, next);
  } catch {
    // The page still changes; only remembering fails.
  }
  announce();
}

export const colorChoice = () => choice;
export const useColorChoice = () => useSyncExternalStore(subscribe, () => choice);
export const useColorMode = () => useSyncExternalStore(subscribe, currentMode);
export const useReducedMotion = () => useSyncExternalStore(subscribe, () => prefersReducedMotion.matches);
