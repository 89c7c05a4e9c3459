import { Suspense } from 'react';
import { phone, useMedia } from '../../ui/base/use-media.ts';
import { ErrorBoundary } from '../../ui/feedback/error-boundary.tsx';
import { lazyPart } from '../../ui/feedback/lazy-part.ts';
import { useWaiting } from './use-waiting.ts';

const RunningDock = lazyPart(() => import('./running-dock.tsx'));

const mostShown = 3;

/** What is sending, in the sidebar or, on a phone, below the top bar; nothing is loaded while nothing is. */
export function Dock({ place }: { place: 'sidebar' | 'phone' }) {
  const running = useWaiting()?.running ?? [];
  const isPhone = useMedia(phone);
  if (running.length === 0 || isPhone !== (place === 'phone')) return null;
  return (
    <div className={isPhone ? 'is-phone' : undefined}>
      <ErrorBoundary broken={() => null}>
        <Suspense fallback={null}>
          <RunningDock tasks={running} most={isPhone ? 1 : mostShown} />
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}
