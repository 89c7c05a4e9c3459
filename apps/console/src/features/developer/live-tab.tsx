import { chosenCallbackTypes, type LiveEvent, skippedType } from '@pahatid/contract';
import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { type EventsState, useEventStream } from '../../lib/api/use-events.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Button } from '../../ui/base/button.tsx';
import { DateTime, Mono } from '../../ui/data/text.tsx';
import { EmptyState, FailedState } from '../../ui/feedback/blank.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { LiveDrawer } from './live-drawer.tsx';

/** Older ones are forgotten: the page stays quick while many arrive. */
const maxShown = 200;

/** Events of the customer as they happen, the newest first. */
export default function LiveTab() {
  const t = useText();
  const [view, setView] = useSearchParams(['type', 'customerId']);
  const [events, setEvents] = useState<readonly LiveEvent[]>([]);
  /** Those that arrived since it was paused, null: it is not. */
  const [held, setHeld] = useState<readonly LiveEvent[] | null>(null);
  const [open, setOpen] = useState<LiveEvent | null>(null);
  const of = view.customerId === undefined ? '' : `?customerId=${encodeURIComponent(view.customerId)}`;
  const { state, error, retry } = useEventStream<LiveEvent>(`/events${of}`, (event) => {
    const add = (before: readonly LiveEvent[]) => [event, ...before].slice(0, maxShown);
    if (held === null) setEvents(add);
    else setHeld((before) => add(before ?? []));
  });
  const resume = () => {
    setEvents((before) => [...(held ?? []), ...before].slice(0, maxShown));
    setHeld(null);
  };
  const shown = view.type === undefined ? events : events.filter(({ type }) => type === view.type);
  return (
    <>
      <div className="developer-live-bar">
        <LiveState state={state} held={held?.length ?? null} />
        <FilterBar>
          <ChoiceFilter
            label={t('callbacks.type')}
            options={chosenCallbackTypes.map((value) => ({ value, label: t(`callbacks.type.${value}`) }))}
            value={view.type}
            onChange={(type) => setView({ type }, { replace: true })}
          />
          <Button icon={held === null ? Pause : Play} onClick={held === null ? () => setHeld([]) : resume}>
            {t(held === null ? 'tasks.act.pause' : 'tasks.act.resume')}
          </Button>
          <Button disabled={events.length === 0} onClick={() => setEvents([])}>
            {t('ui.clear')}
          </Button>
        </FilterBar>
      </div>
      {error !== null && <FailedState error={error} onRetry={retry} />}
      {shown.length === 0 ? (
        error === null && (
          <EmptyState title={t('developer.live.empty.title')}>{t('developer.live.empty.text')}</EmptyState>
        )
      ) : (
        <ol className="developer-live" aria-label={t('developer.live.title')}>
          {shown.map((event) => (
            <LiveRow key={event.id} event={event} onOpen={() => setOpen(event)} />
          ))}
        </ol>
      )}
      {open && <LiveDrawer event={open} onClose={() => setOpen(null)} />}
    </>
  );
}

function LiveState({ state, held }: { state: EventsState; held: number | null }) {
  const t = useText();
  if (held !== null)
    return (
      <StatusTag glyph="bar" tone="warning">
        {t('developer.live.paused', { count: held })}
      </StatusTag>
    );
  if (state === 'refused') return null;
  if (state !== 'live')
    return (
      <StatusTag glyph="dots" tone="neutral">
        {t('routing.bind.connecting')}
      </StatusTag>
    );
  return (
    <StatusTag glyph="done" tone="success">
      {t('developer.live.on')}
    </StatusTag>
  );
}

/** Name or id of what the event is about. */
const subjectOf = ({ data }: LiveEvent): string => {
  const { messageId, taskName, templateName, senderId, inboundId, thresholdId } = data;
  const subjects = [taskName, templateName, senderId, messageId, inboundId, thresholdId];
  return subjects.find((subject) => typeof subject === 'string') ?? '';
};

function LiveRow({ event, onOpen }: { event: LiveEvent; onOpen: () => void }) {
  const t = useText();
  const status = event.data['clientStatus'];
  if (event.type === skippedType)
    return (
      <li className="developer-live-row ink-2">
        <DateTime value={event.timestamp} style="moment" />
        {t('developer.live.skipped', { count: Number(event.data['count']) })}
      </li>
    );
  return (
    <li>
      <button type="button" className="developer-live-row" onClick={onOpen}>
        <DateTime value={event.timestamp} style="moment" />
        <span className="developer-live-type">
          {t(`callbacks.type.${event.type}`)}
          {typeof status === 'number' && (
            <>
              {' '}
              <span className="ink-2">· {t.maybe(`records.status.${status}`)}</span>
            </>
          )}
          {event.test === true && (
            <>
              {' '}
              <span className="ink-3">· {t('developer.key.test')}</span>
            </>
          )}
        </span>
        <span className="developer-live-subject clip">
          <Mono>{subjectOf(event)}</Mono>
        </span>
      </button>
    </li>
  );
}
