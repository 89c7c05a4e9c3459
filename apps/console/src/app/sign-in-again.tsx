import type { Session } from '@pahatid/contract';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { sessionQuery } from '../lib/api/session.ts';
import { loadWithTexts } from '../ui/feedback/load-error.ts';

/** Out of the door, so that whoever comes by the door does not pay for another chunk. */
const SignIn = lazy(() => loadWithTexts(async () => ({ default: (await import('./door/door.tsx')).SignIn })));

/** Whether the session ended over something that is not saved: the page stays, and the sign-in comes over it. */
let isAsked = false;
const listeners = new Set<() => void>();

export function askToSignInAgain(asked: boolean) {
  isAsked = asked;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Who signs in as the same person goes on where they were; anybody else begins anew. */
export function SignInAgain({ onLeave }: { onLeave: () => void }) {
  const queryClient = useQueryClient();
  const asked = useSyncExternalStore(subscribe, () => isAsked);
  if (!asked) return null;
  const enter = async (session: Session) => {
    const before = queryClient.getQueryData(sessionQuery.queryKey);
    if (before?.user.userId !== session.user.userId) {
      window.location.assign(session.user.kind === 'staff' ? '/overview' : '/home');
      return;
    }
    queryClient.setQueryData(sessionQuery.queryKey, session);
    askToSignInAgain(false);
    await queryClient.invalidateQueries();
  };
  return (
    <Suspense>
      <SignIn
        ended
        enter={enter}
        onForgot={() => window.location.assign('/?login=1&forgot=phone')}
        onClose={() => {
          askToSignInAgain(false);
          onLeave();
        }}
      />
    </Suspense>
  );
}
