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
    .map((told) => ({
      key: told.eventId,
      look: looks[told.state],
      title: (
        <>
          {t('records.step.callback')}
          <span className="cell-note">{whatCameOfIt(told, record.callbacks.length > 1, t)}</span>
        </>
      ),
      note: hasLog && (
        <ButtonLink
          variant="link"
          size="small"
          to="/developer"
          search={{ tab: 'callbacks', messageId: record.messageId, open: told.eventId }}
        >
          {t('callbacks.log')}
        </ButtonLink>
      ),
      time: <DateTime value={told.deliverTime ?? told.lastTime ?? told.time} style="stamp" />,
    }))
    .toReversed();
}

/** Which state was notified, if there were several; whether it arrived, and the response. */
function whatCameOfIt(told: CallbackEvent, isOneOfSeveral: boolean, t: Text): string {
  const answer =
    told.lastStatus !== null
      ? t('callbacks.answer', { status: told.lastStatus })
      : told.lastError !== null && t(`callbacks.error.${told.lastError}`);
  const words = [
    isOneOfSeveral && told.clientStatus !== null && t(`records.status.${told.clientStatus}`),
    t(`callbacks.event.${told.state}`),
    answer,
  ];
  return words.filter((word) => word !== false).join(' · ');
}
