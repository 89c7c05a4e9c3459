import { type ReactNode, Suspense } from 'react';
import { BrokenScreen, ErrorBoundary } from './error-boundary.tsx';

interface PartBoundaryProps {
  /** While it is loading. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** Around a `lazyPart` of a screen: the rest of the screen remains, whether the part is loading or has failed. */
export const PartBoundary = ({ fallback, children }: PartBoundaryProps) => (
  <ErrorBoundary broken={(error, retry) => <BrokenScreen isPart error={error} onRetry={retry} />}>
    <Suspense fallback={fallback}>{children}</Suspense>
  </ErrorBoundary>
);
