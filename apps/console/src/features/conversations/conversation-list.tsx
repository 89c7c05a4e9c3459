import type { CallResult, Conversation } from '@pahatid/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { Check, Plus, UserRound } from 'lucide-react';
import { useRef } from 'react';
import { useSession } from '../../lib/api/session.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import type { useListView } from '../../lib/router/use-list-view.ts';
import { Button } from '../../ui/base/button.tsx';
import { classNames } from '../../ui/base/class-names.ts';
import { Icon } from '../../ui/base/icon.tsx';
import { PhoneNumber } from '../../ui/data/text.tsx';
import { EmptyState, FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { useRowKeys } from '../../ui/table/use-row-keys.ts';
import { KeywordRules } from './keyword-rules.tsx';

type View = ReturnType<typeof useListView<'search' | 'unread' | 'assigned', 'open'>>;
type Assigned = 'all' | 'me' | 'none';

interface ConversationListProps {
  view: View;
  list: UseQueryResult<CallResult<'GET /conversations'>>;
}

export function ConversationList({ view: of, list }: ConversationListProps) {
  const t = useText();
  const { view, setView, narrow } = of;
  const frame = useRef<HTMLDivElement>(null);
  useRowKeys(frame, true);
  return (
    <section className="conversation-list" aria-label={t('conversations.title')}>
      <header>
        <div className="row">
          <h1 className="grow">{t('conversations.title')}</h1>
          <KeywordRules />
          <Button
            size="small"
            className={view.unread ? 'chip is-on' : 'chip'}
            icon={view.unread ? Check : Plus}
            aria-pressed={view.unread !== undefined}
            onClick={() => narrow({ unread: view.unread ? undefined : '1' })}
          >
            {t('notices.unread')}
          </Button>
        </div>
        <Segmented<Assigned>
          label={t('conversations.assignee')}
          value={view.assigned === 'me' || view.assigned === 'none' ? view.assigned : 'all'}
          onChange={(assigned) => narrow({ assigned: assigned === 'all' ? undefined : assigned })}
          options={[
            { value: 'all', label: t('statistics.all') },
            { value: 'me', label: t('conversations.mine') },
            { value: 'none', label: t('conversations.unassigned') },
          ]}
        />
        <SearchInput label={t('conversations.search')} value={view.search} onChange={(search) => narrow({ search })} />
      </header>
      <div className="conversation-rows row-list" ref={frame}>
        <Rows view={of} list={list} />
      </div>
      <footer className="row">
        {view.cursor !== undefined && (
          <Button size="small" onClick={() => setView({ cursor: undefined })}>
            {t('ui.newer')}
          </Button>
        )}
        {list.data?.nextCursor && (
          <Button size="small" onClick={() => setView({ cursor: list.data.nextCursor ?? undefined })}>
            {t('ui.older')}
          </Button>
        )}
      </footer>
    </section>
  );
}

function Rows({ view: { view, setView, filtered, clear }, list }: ConversationListProps) {
  const t = useText();
  if (list.error) return <FailedState error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data)
    return (
      <div className="conversation-loading">
        <SkeletonLines lines={12} />
      </div>
    );
  const { items } = list.data;
  if (items.length === 0)
    return filtered ? (
      <EmptyState title={t('ui.noMatches')} action={<Button onClick={clear}>{t('ui.clearFilters')}</Button>} />
    ) : (
      <EmptyState title={t('inbound.empty.title')}>{t('inbound.empty.text')}</EmptyState>
    );
  return (
    <ul>
      {items.map((item) => (
        <Row
          key={item.conversationId}
          item={item}
          isOpen={item.conversationId === view.open}
          onOpen={() => setView({ open: item.conversationId }, { replace: view.open !== undefined })}
        />
      ))}
    </ul>
  );
}

function Row({ item, isOpen, onOpen }: { item: Conversation; isOpen: boolean; onOpen: () => void }) {
  const t = useText();
  const formats = useFormats();
  const { user } = useSession();
  const isToday = formats.date(item.lastTime, 'date') === formats.date(new Date(), 'date');
  return (
    <li className={classNames('conversation-row', isOpen && 'is-open', item.unread > 0 && 'is-unread')}>
      <button type="button" className="row-open" aria-current={isOpen || undefined} onClick={onOpen}>
        <span className="conversation-line">
          <PhoneNumber value={item.mobileNumber} />
          <time dateTime={item.lastTime}>{formats.date(item.lastTime, isToday ? 'minute' : 'monthDay')}</time>
        </span>
        <span className="conversation-line">
          <span className="conversation-text" dir="auto">
            {item.lastText}
          </span>
          {item.unread > 0 && (
            <span className="conversation-unread">
              <span className="visually-hidden">{t('notices.unread')} </span>
              {formats.number(item.unread)}
            </span>
          )}
        </span>
        {item.assignee !== null && (
          <span className="conversation-assignee">
            <Icon of={UserRound} size="small" />
            <span className="visually-hidden">{t('conversations.assignee')}: </span>
            <bdi className="clip">
              {item.assignee.userId === user.userId ? t('conversations.you') : item.assignee.name}
            </bdi>
          </span>
        )}
        {item.optOut === 1 && (
          <StatusTag glyph="bar" tone="warning">
            {t('inbound.kind.1')}
          </StatusTag>
        )}
      </button>
    </li>
  );
}
