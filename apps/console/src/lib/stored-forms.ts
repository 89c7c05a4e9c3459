import type { Session } from '@pahatid/contract';

/**
 * Unsaved form input, stored for this tab: after a reload, or a crash of the page, the form offers to restore it.
 * Cleared once it is saved or discarded, and for all users on sign-out.
 */
const prefix = 'pahatid.form.';

export interface StoredForm<V> {
  values: V;
  /** The version that the form was filled from; null: something new. */
  version: number | null;
}

/** The next user that signs in in the tab is not offered another user's input. */
export const storedFormKey = ({ user, customer }: Session, form: string): string =>
  `${user.userId}.${customer?.customerId ?? ''}.${form}`;

export function storeForm<V>(key: string, stored: StoredForm<V>): void {
  try {
    sessionStorage.setItem(prefix + key, JSON.stringify(stored));
  } catch {
    // The browser has no storage, or no space: the form still asks before it is closed.
  }
}

export function readStoredForm<V extends object>(key: string): StoredForm<V> | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(prefix + key) ?? 'null') as StoredForm<V> | null;
    return stored !== null && typeof stored.values === 'object' ? stored : null;
  } catch {
    return null;
  }
}

export function removeStoredForm(key: string): void {
  try {
    sessionStorage.removeItem(prefix + key);
  } catch {
    // Nothing was stored either.
  }
}

export function removeStoredForms(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  } catch {
    // Nothing was stored either.
  }
}
