import { useState } from 'react';

/** How far a reset by e-mail has come; the grant opens nothing outside this browser, and for ten minutes. */
export type ResetState =
  | { readonly step: 1; readonly email: string }
  | { readonly step: 2; readonly email: string }
  | { readonly step: 3; readonly email: string; readonly grant: string };

const storeKey = 'pahatid.reset';

function readStored(email: string): ResetState {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storeKey) ?? 'null') as Partial<
      ResetState & { grant: string }
    > | null;
    if (stored?.step === 2 && typeof stored.email === 'string') return { step: 2, email: stored.email };
    if (stored?.step === 3 && typeof stored.email === 'string' && typeof stored.grant === 'string')
      return { step: 3, email: stored.email, grant: stored.grant };
  } catch {
    // Nothing stored, or unreadable: start from the beginning.
  }
  return { step: 1, email };
}

/** Stored for this tab: a reload, or opening the mail on the same phone, continues at the same step. */
export function useResetState(email: string): [ResetState, (next: ResetState) => void] {
  const [state, setState] = useState(() => readStored(email));
  const go = (next: ResetState): void => {
    setState(next);
    try {
      if (next.step === 1) sessionStorage.removeItem(storeKey);
      else sessionStorage.setItem(storeKey, JSON.stringify(next));
    } catch {
      // A browser without storage continues without it.
    }
  };
  return [state, go];
}
