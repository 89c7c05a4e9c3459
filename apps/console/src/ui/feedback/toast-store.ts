import { useSyncExternalStore } from 'react';
import { errorText } from '../../lib/api/error-text.ts';

export interface Toast {
  id: number;
  tone: 'success' | 'danger' | 'info';
  text: string;
}

const shownMs = { success: 4_000, info: 5_000, danger: 8_000 } as const;
const mostAtOnce = 3;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

export function dismissToast(id: number) {
  change(toasts.filter((toast) => toast.id !== id));
}

/** Says something for a few seconds: `toast(t('ui.copied'))`. The same text is not stacked twice. */
export function toast(text: string, tone: Toast['tone'] = 'success') {
  lastId += 1;
  const id = lastId;
  change([...toasts.filter((other) => other.text !== text), { id, tone, text }].slice(-mostAtOnce));
  setTimeout(() => dismissToast(id), shownMs[tone]);
}

/** Says what a failed call answered. */
export function toastError(error: unknown) {
  toast(errorText(error), 'danger');
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useToasts = () => useSyncExternalStore(subscribe, () => toasts);
