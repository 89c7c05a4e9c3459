import type { Session } from '@pahatid/contract';

/**
 * Unsaved form input, stored for this tab: after a reload, or a crash of the page, the form offers to restore it.
 * Cleared once it is saved or discarded, and for all users on sign-out.
 */
const prefix = 'pahatid.form.';

export interface KeptForm<V> {
  values: V;
  /** The version that the form was filled from; null: something new. */
  version: number | null;
}

/** The next user that signs in in the tab is not offered another user's input. */
export const keptKey = ({ user, customer }: Session, form: string): string =>
  `${user.userId}.${customer?.customerId ?? ''}.${form}`;

export function keepForm<V>(key: string, kept: KeptForm<V>): void {
  try {
    sessionStorage.setItem(prefix + key, JSON.stringify(kept));
  } catch {
    // The browser has no storage, or no space: the form still asks before it is closed.
  }
}

export function readKeptForm<V extends object>(key: string): KeptForm<V> | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(prefix + key) ?? 'null') as KeptForm<V> | null;
    return kept !== null && typeof kept.values === 'object' ? kept : null;
  } catch {
    return null;
  }
}

export function dropKeptForm(key: string): void {
  try {
    sessionStorage.removeItem(prefix + key);
  } catch {
    // Nothing was stored either.
  }
}

export function dropKeptForms(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  } catch {
    // Nothing was stored either.
  }
}
