import { Bell as BellIcon } from 'lucide-react';
import { Suspense } from 'react';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { BrokenScreen, ErrorBoundary } from '../../ui/feedback/error-boundary.tsx';
import { lazyPart } from '../../ui/feedback/lazy-part.ts';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { Popover } from '../../ui/layers/popover.tsx';

const NoticePanel = lazyPart(() => import('../../features/notices/notice-panel.tsx'));

/** A count by an index, while the page is looked at: cheaper than a stream for each tab. */
const rereadMs = 15_000;
/** The server counts no further. */
const most = 99;

/** How much is new, and the newest of it. */
export function Bell() {
  const t = useText();
  const { data } = useCall('GET /notices/unread', undefined, { refetchInterval: rereadMs });
  const unread = data?.unread ?? 0;
  const label = unread === 0 ? t('shell.notices') : t('shell.notices.unread', { count: Math.min(unread, most) });
  return (
    <Popover
      align="end"
      label={t('shell.notices')}
      button={{
        variant: 'quiet',
        className: 'is-icon bell-button',
        'aria-label': label,
        title: label,
        label: (
          <>
            <Icon of={BellIcon} />
            {unread > 0 && (
              <span className="bell-count" aria-hidden="true">
                {unread > most ? `${most}+` : unread}
              </span>
            )}
          </>
        ),
      }}
    >
      {(close) => (
        // Same width empty and loaded: the position next to the button is computed once.
        <div className="bell-panel">
          <ErrorBoundary broken={(error, retry) => <BrokenScreen isPart error={error} onRetry={retry} />}>
            <Suspense fallback={<SkeletonLines lines={6} />}>
              <NoticePanel onClose={close} />
            </Suspense>
          </ErrorBoundary>
        </div>
      )}
    </Popover>
  );
}
