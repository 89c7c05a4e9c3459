import { useSyncExternalStore } from 'react';

/**
 * Open dialogs and drawers, the top one last. Floating elements (toasts, antd's dropdowns) must be inside the top one:
 * a modal dialog makes everything outside of it inert.
 */
let stack: readonly HTMLElement[] = [];
const listeners = new Set<() => void>();

function change(next: readonly HTMLElement[]) {
  stack = next;
  for (const listener of listeners) listener();
}

export function pushLayer(element: HTMLElement): () => void {
  change([...stack, element]);
  return () => change(stack.filter((layer) => layer !== element));
}

/** Returns the container for a floating element. */
export const topLayer = (): HTMLElement => stack.at(-1) ?? document.body;

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useTopLayer = () => useSyncExternalStore(subscribe, topLayer);
