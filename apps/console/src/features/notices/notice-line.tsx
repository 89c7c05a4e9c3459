import type { Notice } from '@pahatid/contract';
import { useRouter } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { classNames } from '../../ui/base/class-names.ts';
import { Icon } from '../../ui/base/icon.tsx';
import { RelativeTime } from '../../ui/data/text.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { useNoticeContent } from './notice-content.ts';
import './notices.css';

/** One notice: opening it marks it as read and leads to its subject. */
export function NoticeLine({ notice, onOpen }: { notice: Notice; onOpen?: () => void }) {
  const t = useText();
  const router = useRouter();
  const refresh = useRefresh();
  const { icon, tone, title, text, path, download = false } = useNoticeContent()(notice);
  const markRead = async () => {
    if (notice.read) return;
    try {
      await call('POST /notices/:noticeId/read', { params: { noticeId: notice.noticeId } });
      await refresh('/notices');
    } catch (error) {
      toastError(error);
    }
  };
  const open = (event: React.MouseEvent) => {
    void markRead();
    onOpen?.();
    // Downloads and new tabs are the browser's.
    if (download || path === null || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    router.history.push(path);
  };
  const contents = (
    <>
      <span className={`notice-mark is-${tone}`}>
        <Icon of={icon} />
      </span>
      <span className="notice-text">
        <span className={classNames('notice-title', !notice.read && 'strong')}>{title}</span>
        {text !== '' && <span className="small ink-2">{text}</span>}
        <span className="tiny ink-3">
          {!notice.read && <span className="notice-unread">{t('notices.unread')}</span>}
          <RelativeTime value={notice.time} />
        </span>
      </span>
    </>
  );
  return (
    <li className={classNames('notice', !notice.read && 'is-unread')}>
      {path === null ? (
        <span className="notice-body">{contents}</span>
      ) : (
        <a className="notice-body" href={path} onClick={open} {...(download && { download: '' })}>
          {contents}
        </a>
      )}
      {!notice.read && (
        <Button
          size="small"
          variant="quiet"
          icon={Check}
          aria-label={`${t('notices.markRead')}: ${title}`}
          title={t('notices.markRead')}
          onClick={() => void markRead()}
        />
      )}
    </li>
  );
}
