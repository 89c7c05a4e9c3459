import type { Session } from '@pahatid/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState, useSyncExternalStore } from 'react';
import type { SignIn } from '../features/sign-in/sign-in.tsx';
import { sessionQuery } from '../lib/api/session.ts';
import { notifyOtherTabs } from '../lib/api/signed-in.ts';
import { ensureTexts } from '../lib/i18n/text-store.ts';
import { useText } from '../lib/i18n/use-text.tsx';
import { releaseUnsaved } from '../lib/unsaved.ts';
import { BrokenScreen, ErrorBoundary } from '../ui/feedback/error-boundary.tsx';
import { lazyPart } from '../ui/feedback/lazy-part.ts';
import { Dialog } from '../ui/layers/dialog.tsx';

/** Loads the sign-in, which is part of the entry page: users that come from there already have it. */
export type LoadSignIn = () => Promise<typeof SignIn>;

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

/** A user that signs in as the same person continues; anyone else starts over. */
export function SignInAgain({ load, onLeave }: { load: LoadSignIn; onLeave: () => void }) {
  const t = useText();
  const [Again] = useState(() =>
    lazyPart(async () => {
      const [SignIn] = await Promise.all([load(), ensureTexts('arrival')]);
      return { default: SignIn };
    }),
  );
  const queryClient = useQueryClient();
  const asked = useSyncExternalStore(subscribe, () => isAsked);
  if (!asked) return null;
  const enter = async (session: Session) => {
    notifyOtherTabs();
    const before = queryClient.getQueryData(sessionQuery.queryKey);
    if (before?.user.userId !== session.user.userId) {
      releaseUnsaved();
      window.location.assign(session.user.kind === 'staff' ? '/overview' : '/home');
      return;
    }
    queryClient.setQueryData(sessionQuery.queryKey, session);
    askToSignInAgain(false);
    await queryClient.invalidateQueries();
  };
  const close = () => {
    askToSignInAgain(false);
    onLeave();
  };
  return (
    <ErrorBoundary
      broken={(error, retry) => (
        <Dialog title={t('session.title')} closeOnMask={false} onClose={close}>
          <BrokenScreen isPart error={error} onRetry={retry} />
        </Dialog>
      )}
    >
      <Suspense>
        <Again ended enter={enter} onForgot={() => window.location.assign('/?login=1&forgot=phone')} onClose={close} />
      </Suspense>
    </ErrorBoundary>
  );
}
