import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { useMedia } from '../../ui/base/use-media.ts';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ConversationList } from './conversation-list.tsx';
import { Thread } from './thread.tsx';
import './conversations.css';

/** Quick enough to see a reply come. */
const rereadMs = 10_000;
/** The list and a thread have room next to each other. */
const wide = '(min-width: 1024px)';

/** What a number may be written with. */
const phoneLike = /^[+\d\s().*•-]*\d[\d\s().*•-]*$/;
const toSearch = (typed: string | undefined) =>
  typed !== undefined && phoneLike.test(typed) ? { mobileNumber: typed } : { text: typed };

/** `/conversation`: replies by phone. A narrow window shows the list or a thread. */
export default function ConversationsScreen() {
  const t = useText();
  const isWide = useMedia(wide);
  const view = useListView(['search', 'unread', 'assigned'], ['open']);
  const { search, ...query } = view.query;
  const list = useCall(
    'GET /conversations',
    { query: { ...query, ...toSearch(search) } },
    { keepPrevious: true, refetchInterval: rereadMs },
  );
  const { open } = view.view;
  const isListShown = isWide || open === undefined;
  return (
    <div className="conversations">
      {isListShown ? (
        <ConversationList view={view} list={list} />
      ) : (
        <h1 className="visually-hidden">{t('conversations.title')}</h1>
      )}
      {open !== undefined && (
        <Thread
          key={open}
          conversationId={open}
          onBack={isWide ? undefined : () => view.setView({ open: undefined })}
        />
      )}
      {isWide && open === undefined && (
        <div className="conversation-none">
          <EmptyState title={t('conversations.choose')} />
        </div>
      )}
    </div>
  );
}
