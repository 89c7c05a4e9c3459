import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ApiError } from '../lib/api/api-error.ts';
import { Brand } from '../ui/base/brand.tsx';
import { FailedState } from '../ui/feedback/blank.tsx';
import { BrokenScreen } from '../ui/feedback/error-boundary.tsx';
import { isLoadError } from '../ui/feedback/load-error.ts';
import './plain-page.css';

/** Shown when not even the shell could be loaded: no response about the session, or its code did not arrive. */
export function RootFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <main className="plain-page">
      <Brand />
      {!isLoadError(error) && error instanceof ApiError ? (
        <FailedState whole error={error} onRetry={retry} />
      ) : (
        <BrokenScreen error={error} onRetry={retry} />
      )}
    </main>
  );
}
