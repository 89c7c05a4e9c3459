import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { onProofNeeded } from '../lib/api/proof.ts';
import { ErrorBoundary } from '../ui/feedback/error-boundary.tsx';
import { lazyPart } from '../ui/feedback/lazy-part.ts';

/** Settles the question that is open; null: none is. */
let settle: ((proved: boolean) => void) | null = null;
const listeners = new Set<() => void>();

const change = (next: typeof settle) => {
  settle = next;
  for (const listener of listeners) listener();
};

onProofNeeded(
  () =>
    new Promise<boolean>((resolve) => {
      change((proved) => {
        change(null);
        resolve(proved);
      });
    }),
);

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/**
 * Shown over whatever is open: an action was refused until the user proves their identity, and continues afterwards.
 */
export function ProofQuestion() {
  const [Dialog] = useState(() => lazyPart(() => import('./prove-dialog.tsx')));
  const answer = useSyncExternalStore(subscribe, () => settle);
  if (answer === null) return null;
  return (
    <ErrorBoundary broken={() => <Unasked onShow={() => answer(false)} />}>
      <Suspense>
        <Dialog onProved={() => answer(true)} onClose={() => answer(false)} />
      </Suspense>
    </ErrorBoundary>
  );
}

/** The dialog could not be loaded: the action ends as refused, and may be tried again. */
function Unasked({ onShow }: { onShow: () => void }) {
  useEffect(onShow, [onShow]);
  return null;
}
