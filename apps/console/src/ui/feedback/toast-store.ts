import { useSyncExternalStore } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { storeNextPageMessage, takeNextPageMessage } from '../../lib/next-page-message.ts';

export interface Toast {
  id: number;
  tone: 'success' | 'danger' | 'info';
  text: string;
  /** For support, if the server failed. */
  requestId: string | null;
}

const shownMs = { success: 4_000, info: 5_000, danger: 8_000 } as const;
/** An id is there to be copied, and perhaps to be written down. */
const shownWithIdMs = 30_000;
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

/** Shows a message for a few seconds: `toast(t('ui.copied'))`. The same text is not stacked twice. */
export function toast(text: string, tone: Toast['tone'] = 'success', requestId: string | null = null) {
  lastId += 1;
  const id = lastId;
  change([...toasts.filter((other) => other.text !== text), { id, tone, text, requestId }].slice(-mostAtOnce));
  setTimeout(() => dismissToast(id), requestId === null ? shownMs[tone] : shownWithIdMs);
}

/** Shows the error of a failed call. */
export function toastError(error: unknown) {
  toast(errorText(error), 'danger', error instanceof ApiError ? error.idForSupport : null);
}

/** Shows it on the next page: this one is about to be left by a load. */
export function toastOnNextPage(text: string) {
  storeNextPageMessage({ text, lang: document.documentElement.lang });
}

/** Shows the message that the previous page stored. */
export function showStoredToast() {
  const message = takeNextPageMessage();
  if (message) toast(message.text);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useToasts = () => useSyncExternalStore(subscribe, () => toasts);
