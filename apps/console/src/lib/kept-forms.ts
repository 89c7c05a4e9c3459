import type { Session } from '@pahatid/contract';

/**
 * What was typed into a form and is not saved, kept for this tab: after a reload, or a crash of the page, the form offers
 * it back. Cleared once it is saved or discarded, and for everybody when the user signs out.
 */
const prefix = 'pahatid.form.';

export interface KeptForm<V> {
  values: V;
  /** The version that the form was filled from; null: something new. */
  version: number | null;
}

/** Whoever signs in next in the tab is not offered what another user typed. */
export const keptKey = ({ user, customer }: Session, form: string): string =>
  `${user.userId}.${customer?.customerId ?? ''}.${form}`;

export function keepForm<V>(key: string, kept: KeptForm<V>): void {
  try {
    sessionStorage.setItem(prefix + key, JSON.stringify(kept));
  } catch {
    // The browser keeps nothing, or no more than it has: the form still asks before it is closed.
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
    // Nothing was kept either.
  }
}

export function dropKeptForms(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept either.
  }
}
