import { Check, Plus } from 'lucide-react';
import { useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Button } from '../../ui/base/button.tsx';
import { EmptyState, FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { Page, PageHeader, Panel } from '../../ui/page/page.tsx';
import { noticeKindsOf } from './notice-kinds.ts';
import { NoticeLine } from './notice-line.tsx';
import { ReadAll } from './read-all.tsx';

/** `/notice`: all notices of the user, as far back as they are stored. */
export default function NoticesScreen() {
  const t = useText();
  const { role } = useSession().user;
  const { view, setView, query, filtered, narrow, clear } = useListView(['kind', 'unread'], []);
  const list = useCall('GET /notices', { query }, { keepPrevious: true, refetchInterval: 20_000 });
  const items = list.data?.items ?? [];
  const isFirst = view.cursor === undefined;
  return (
    <Page width="form">
      <PageHeader
        title={t('notices.title')}
        fact={t('notices.fact')}
        actions={<ReadAll newest={isFirst ? items[0] : undefined} />}
      />
      <FilterBar onClear={filtered ? clear : undefined}>
        <ChoiceFilter
          label={t('notices.kind')}
          options={noticeKindsOf(role).map((kind) => ({ value: kind, label: t(`notices.kind.${kind}`) }))}
          value={view.kind}
          onChange={(kind) => narrow({ kind })}
        />
        <Button
          className={view.unread ? 'chip is-on' : 'chip'}
          icon={view.unread ? Check : Plus}
          aria-pressed={view.unread !== undefined}
          onClick={() => narrow({ unread: view.unread ? undefined : '1' })}
        >
          {t('notices.unreadOnly')}
        </Button>
      </FilterBar>
      {list.error ? (
        <FailedState error={list.error} onRetry={() => void list.refetch()} />
      ) : !list.data ? (
        <SkeletonLines lines={10} />
      ) : items.length === 0 ? (
        <EmptyState title={t('notices.empty.title')}>{t('notices.empty.text')}</EmptyState>
      ) : (
        <Panel flush>
          <ul className="notice-list is-page" aria-label={t('notices.title')}>
            {items.map((notice) => (
              <NoticeLine key={notice.noticeId} notice={notice} />
            ))}
          </ul>
        </Panel>
      )}
      <div className="row">
        {!isFirst && <Button onClick={() => setView({ cursor: undefined })}>{t('ui.newer')}</Button>}
        {list.data?.nextCursor && (
          <Button onClick={() => setView({ cursor: list.data.nextCursor ?? undefined })}>{t('ui.older')}</Button>
        )}
      </div>
    </Page>
  );
}
