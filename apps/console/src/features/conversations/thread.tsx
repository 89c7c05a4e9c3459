import type { Conversation, ConversationEntry } from '@pahatid/contract';
import { ArrowLeft, ListFilter } from 'lucide-react';
import { Fragment, useLayoutEffect, useRef, useState } from 'react';
import { useMay } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import { Mono, PhoneNumber } from '../../ui/data/text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { AssigneeMenu } from './assignee-menu.tsx';
import { Entry } from './entry.tsx';
import { ReplyBox } from './reply-box.tsx';
import { useMarkRead } from './use-mark-read.ts';

const rereadMs = 5_000;
const shownAtFirst = 30;
const shownAtMost = 200;

interface ThreadProps {
  conversationId: string;
  /** Back to the list; undefined: it is shown. */
  onBack: (() => void) | undefined;
}

/** What a phone got and what it replied, the newest at the bottom. */
export function Thread({ conversationId, onBack }: ThreadProps) {
  const t = useText();
  const [limit, setLimit] = useState(shownAtFirst);
  const params = { conversationId };
  const found = useCall('GET /conversations/:conversationId', { params }, { refetchInterval: rereadMs });
  const list = useCall(
    'GET /conversations/:conversationId/entries',
    { params, query: { limit: String(limit) } },
    { keepPrevious: true, refetchInterval: rereadMs },
  );
  const conversation = found.data;
  const mayReply = useMay('owner', 'member');
  useMarkRead(conversation, list.data?.items);
  const error = found.error ?? list.error;
  return (
    <section className="conversation-thread" aria-label={t('conversations.thread')}>
      <Head conversation={conversation} onBack={onBack} />
      {error ? (
        <FailedState error={error} onRetry={() => void Promise.all([found.refetch(), list.refetch()])} />
      ) : !conversation || !list.data ? (
        <div className="conversation-loading grow">
          <SkeletonLines lines={8} />
        </div>
      ) : (
        <>
          <Entries
            conversation={conversation}
            entries={list.data.items}
            onOlder={list.data.nextCursor !== null && limit < shownAtMost ? () => setLimit(shownAtMost) : undefined}
          />
          {mayReply && <ReplyBox conversation={conversation} />}
        </>
      )}
    </section>
  );
}

function Head({ conversation, onBack }: { conversation: Conversation | undefined; onBack: (() => void) | undefined }) {
  const t = useText();
  // A masked number finds nothing.
  const isWhole = conversation !== undefined && /^\d+$/.test(conversation.mobileNumber);
  return (
    <header className="conversation-head">
      {onBack && (
        <Button variant="quiet" icon={ArrowLeft} mirrorIcon aria-label={t('conversations.title')} onClick={onBack} />
      )}
      <div className="grow">
        <h2>{conversation && <PhoneNumber value={conversation.mobileNumber} />}</h2>
        {conversation && (
          <p className="small ink-3">
            {t('records.application')} <Mono>{conversation.appId}</Mono> · {t('inbound.destination')}{' '}
            <Mono>{conversation.destination}</Mono>
          </p>
        )}
      </div>
      {conversation && <AssigneeMenu conversation={conversation} />}
      {isWhole && (
        <ButtonLink
          variant="quiet"
          icon={ListFilter}
          aria-label={t('inbound.records')}
          to="/bussinessStatistics/sendRecord"
          search={{ phoneAddress: conversation.mobileNumber }}
        />
      )}
    </header>
  );
}

interface EntriesProps {
  conversation: Conversation;
  /** Newest first. */
  entries: readonly ConversationEntry[];
  onOlder: (() => void) | undefined;
}

function Entries({ conversation, entries, onOlder }: EntriesProps) {
  const t = useText();
  const formats = useFormats();
  const frame = useRef<HTMLDivElement>(null);
  const newest = entries[0] && keyOf(entries[0]);
  // A new one is scrolled to, an older page is not.
  useLayoutEffect(() => {
    if (newest !== undefined) frame.current?.scrollTo({ top: frame.current.scrollHeight });
  }, [newest]);
  const shown = entries.toReversed();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <div className="conversation-entries" ref={frame} tabIndex={0} role="log" aria-label={t('conversations.thread')}>
      {onOlder && (
        <Button size="small" onClick={onOlder}>
          {t('ui.older')}
        </Button>
      )}
      {shown.map((entry, index) => {
        const day = formats.date(entry.time, 'date');
        const before = shown[index - 1];
        return (
          <Fragment key={keyOf(entry)}>
            {(before === undefined || formats.date(before.time, 'date') !== day) && (
              <p className="conversation-day">
                <span>{day}</span>
              </p>
            )}
            <Entry entry={entry} mobileNumber={conversation.mobileNumber} />
          </Fragment>
        );
      })}
    </div>
  );
}

const keyOf = (entry: ConversationEntry): string => (entry.kind === 'reply' ? entry.inboundId : entry.messageId);
