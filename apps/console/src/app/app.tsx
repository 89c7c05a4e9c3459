import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { makeQueryClient } from '../lib/api/query-client.ts';
import { sessionQuery } from '../lib/api/session.ts';
import { onSessionEnded } from '../lib/api/session-ended.ts';
import { ErrorBoundary } from '../ui/feedback/error-boundary.tsx';
import { Toaster } from '../ui/feedback/toaster.tsx';
import { makeRouter } from './router.tsx';

const queryClient = makeQueryClient();
const router = makeRouter(queryClient);

/** Several calls may be refused at once; one way out is enough. */
let leaving = false;

onSessionEnded(() => {
  // Only somebody who was signed in can be sent to sign in again, and back to the same place.
  if (!queryClient.getQueryData(sessionQuery.queryKey)) return;
  const next = router.state.location.href;
  if (leaving) return;
  leaving = true;
  // The shell reads the session while it stands, so the data goes only after it is left.
  void router.navigate({ to: '/', search: { login: '1', ended: '1', next }, replace: true }).then(() => {
    queryClient.clear();
    queryClient.setQueryData(sessionQuery.queryKey, null);
    leaving = false;
  });
});

export function App() {
  return (
    <StrictMode>
      <ErrorBoundary>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Toaster />
        </QueryClientProvider>
      </ErrorBoundary>
    </StrictMode>
  );
}
