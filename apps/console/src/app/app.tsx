import type { Session } from '@pahatid/contract';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import type { Root } from 'react-dom/client';
import { watchForOtherUser } from '../lib/api/other-user.ts';
import { makeQueryClient } from '../lib/api/query-client.ts';
import { sessionQuery } from '../lib/api/session.ts';
import { onSessionEnded } from '../lib/api/session-ended.ts';
import { onSignedInElsewhere } from '../lib/api/signed-in.ts';
import { hasUnsaved } from '../lib/unsaved.ts';
import { ErrorBoundary } from '../ui/feedback/error-boundary.tsx';
import { showStoredToast } from '../ui/feedback/toast-store.ts';
import { Toaster } from '../ui/feedback/toaster.tsx';
import { firstPath } from './menu.ts';
import { ProofQuestion } from './proof-question.tsx';
import { type AppRouter, makeRouter } from './router.tsx';
import { askToSignInAgain, type LoadSignIn, SignInAgain } from './sign-in-again.tsx';

/** Opens the screen that the address names, or the page of a link. `session`: of a user that has just signed in. */
export function openConsole(root: Root, loadSignIn: LoadSignIn, session?: Session) {
  const queryClient = makeQueryClient();
  if (session) queryClient.setQueryData(sessionQuery.queryKey, session);
  const router = makeRouter(queryClient);
  const leave = signInAgainWhenSessionEnds(queryClient, router);
  beginAnewForOtherUser(queryClient);
  showStoredToast();
  root.render(
    <StrictMode>
      <ErrorBoundary>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <SignInAgain load={loadSignIn} onLeave={leave} />
          <ProofQuestion />
          <Toaster />
        </QueryClientProvider>
      </ErrorBoundary>
    </StrictMode>,
  );
}

/** Returns the function that leaves the console for the sign-in, which leads back to the same place. */
function signInAgainWhenSessionEnds(queryClient: QueryClient, router: AppRouter): () => void {
  /** Several calls may be refused at the same time; only the first one leaves. */
  let isLeaving = false;
  const leave = () => {
    const next = router.state.location.href;
    if (isLeaving) return;
    isLeaving = true;
    // The shell reads the session while it is mounted, so the data is removed only after leaving it.
    void router.navigate({ to: '/', search: { login: '1', ended: '1', next }, replace: true }).then(() => {
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, null);
      isLeaving = false;
    });
  };
  onSessionEnded(() => {
    // Only a user that was signed in can be asked to sign in again.
    if (!queryClient.getQueryData(sessionQuery.queryKey)) return;
    if (hasUnsaved()) askToSignInAgain(true);
    else leave();
  });
  return leave;
}

/** Another user signed in in another tab: neither user's data may be shown as the other's. */
function beginAnewForOtherUser(queryClient: QueryClient) {
  onSignedInElsewhere(() => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }));
  watchForOtherUser(queryClient, (before, now) => {
    if (!hasUnsaved()) {
      window.location.assign(firstPath[now.user.kind]);
      return;
    }
    // Unsaved input belongs to the previous user, who may sign in again to save it.
    queryClient.setQueryData(sessionQuery.queryKey, before);
    askToSignInAgain(true);
  });
}
