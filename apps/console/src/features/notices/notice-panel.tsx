import { Link } from '@tanstack/react-router';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { EmptyState, FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { NoticeLine } from './notice-line.tsx';
import { ReadAll } from './read-all.tsx';
import './notices.css';

/** What the bell opens: the newest few. */
export default function NoticePanel({ onClose }: { onClose: () => void }) {
  const t = useText();
  const list = useCall('GET /notices', { query: { limit: '8' } });
  const items = list.data?.items ?? [];
  return (
    <div className="notice-panel">
      <div className="notice-head">
        <h2 className="section-title grow">{t('notices.title')}</h2>
        <ReadAll quiet newest={items[0]} />
      </div>
      {list.error ? (
        <FailedState error={list.error} onRetry={() => void list.refetch()} />
      ) : !list.data ? (
        <SkeletonLines lines={6} />
      ) : items.length === 0 ? (
        <EmptyState title={t('notices.empty.title')}>{t('notices.empty.text')}</EmptyState>
      ) : (
        <ul className="notice-list is-short">
          {items.map((notice) => (
            <NoticeLine key={notice.noticeId} notice={notice} onOpen={onClose} />
          ))}
        </ul>
      )}
      <div className="notice-foot small">
        <Link to="/notice" onClick={onClose}>
          {t('notices.all')}
        </Link>
        <Link to="/account" hash="notices" onClick={onClose}>
          {t('notices.settings')}
        </Link>
      </div>
    </div>
  );
}
