import { type ReactNode, Suspense } from 'react';
import { BrokenScreen, ErrorBoundary } from './error-boundary.tsx';

/** Around a `lazyPart` that opens over a screen: the screen remains, whether the part is loading or has failed. */
export const PartBoundary = ({ children }: { children: ReactNode }) => (
  <ErrorBoundary broken={(error, retry) => <BrokenScreen isPart error={error} onRetry={retry} />}>
    <Suspense>{children}</Suspense>
  </ErrorBoundary>
);
