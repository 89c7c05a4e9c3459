import type { CallbackEvent, CallbackState, SendRecordDetail } from '@pahatid/contract';
import type { Text } from '../../lib/i18n/use-text.tsx';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import type { TimelineEntry } from '../../ui/data/pictures.tsx';
import { DateTime } from '../../ui/data/text.tsx';
import type { StatusLook } from '../../ui/status/status-tag.tsx';

const looks: Record<CallbackState, StatusLook> = {
  waiting: { glyph: 'dots', tone: 'neutral' },
  delivered: { glyph: 'done', tone: 'success' },
  givenUp: { glyph: 'failed', tone: 'danger' },
};

/** The last stage of a message: the callbacks to its application, the newest first. */
export function callbackSteps(record: SendRecordDetail, t: Text, hasLog: boolean): TimelineEntry[] {
  return record.callbacks
    .map((event) => ({
      key: event.eventId,
      look: looks[event.state],
      title: (
        <>
          {t('records.step.callback')}
          <span className="cell-note">{resultText(event, record.callbacks.length > 1, t)}</span>
        </>
      ),
      note: hasLog && (
        <ButtonLink
          variant="link"
          size="small"
          to="/developer"
          search={{ tab: 'callbacks', messageId: record.messageId, open: event.eventId }}
        >
          {t('callbacks.log')}
        </ButtonLink>
      ),
      time: <DateTime value={event.deliverTime ?? event.lastTime ?? event.time} style="stamp" />,
    }))
    .toReversed();
}

/** Which state was notified, if there were several; whether it arrived, and the response. */
function resultText(event: CallbackEvent, isOneOfSeveral: boolean, t: Text): string {
  const answer =
    event.lastStatus !== null
      ? t('callbacks.answer', { status: event.lastStatus })
      : event.lastError !== null && t(`callbacks.error.${event.lastError}`);
  const parts = [
    isOneOfSeveral && event.clientStatus !== null && t(`records.status.${event.clientStatus}`),
    t(`callbacks.event.${event.state}`),
    answer,
  ];
  return parts.filter((part) => part !== false).join(' · ');
}
