import { NotebookPen } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { ErrorBoundary } from '../../ui/feedback/error-boundary.tsx';
import { lazyPart } from '../../ui/feedback/lazy-part.ts';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { MenuItem, Popover } from '../../ui/layers/popover.tsx';

/** The team's texts: one is inserted into the reply, and they are managed in a drawer. */
export function SavedReplies({ onInsert }: { onInsert: (content: string) => void }) {
  const t = useText();
  const [isManaged, setManaged] = useState(false);
  const [Drawer] = useState(() => lazyPart(() => import('./saved-replies-drawer.tsx')));
  return (
    <>
      <Popover
        align="end"
        label={t('conversations.saved')}
        button={{ icon: NotebookPen, label: t('conversations.saved') }}
      >
        {(close) => (
          <Choices
            onChoose={(content) => {
              close();
              onInsert(content);
            }}
            onManage={() => {
              close();
              setManaged(true);
            }}
          />
        )}
      </Popover>
      {isManaged && (
        <ErrorBoundary>
          <Suspense>
            <Drawer onClose={() => setManaged(false)} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}

function Choices({ onChoose, onManage }: { onChoose: (content: string) => void; onManage: () => void }) {
  const t = useText();
  const list = useCall('GET /saved-replies');
  if (list.error) return <FailedState error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <SkeletonLines lines={3} />;
  const { savedReplies } = list.data;
  return (
    <div className="conversation-saved">
      {savedReplies.length === 0 && <p className="small ink-2">{t('conversations.saved.none')}</p>}
      {savedReplies.map(({ savedReplyId, name, content }) => (
        <MenuItem key={savedReplyId} onClick={() => onChoose(content)}>
          <bdi className="clip">{name}</bdi>
          <bdi className="clip small ink-3">{content}</bdi>
        </MenuItem>
      ))}
      <hr />
      <MenuItem onClick={onManage}>{t('conversations.saved.manage')}</MenuItem>
    </div>
  );
}
