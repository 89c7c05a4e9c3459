import type { CallbackAttempt, CallbackDetail } from '@pahatid/contract';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import { BodyText } from '../../ui/data/body-text.tsx';
import { CopyButton, CopyText, Count, DateTime } from '../../ui/data/text.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { LoadingDrawer } from '../../ui/layers/loading-drawer.tsx';
import { Facts, Section } from '../../ui/page/page.tsx';
import { Address } from './address.tsx';
import { AttemptAnswer, EventStateTag, endpointName } from './callback-state.tsx';
import { AnswerText } from './endpoint-part.tsx';

/** The header by which a receiver knows an event again. */
const idHeader = 'webhook-id';
/** While an event is waiting, its drawer refreshes automatically. */
const refetchMs = 5_000;

interface EventDrawerProps {
  eventId: string;
  /** Of test mode. */
  isTest: boolean;
  onClose: () => void;
}

/** One event: its body, its receiver, and the result of each attempt. */
export function EventDrawer({ eventId, isTest, onClose }: EventDrawerProps) {
  const t = useText();
  const refresh = useRefresh();
  const mayWrite = useMay('owner');
  const [isSending, setSending] = useState(false);
  const asked = { params: { eventId }, query: isTest ? { test: '1' as const } : {} };
  const read = useCall('GET /callbacks/:eventId', asked, { refetchInterval: refetchMs });
  const event = read.data;
  if (!event) return <LoadingDrawer title={t('callbacks.type')} read={read} onClose={onClose} />;
  const retry = async () => {
    setSending(true);
    try {
      await call('POST /callbacks/:eventId/retry', asked);
      toast(t('callbacks.retried'));
      await refresh('/callbacks', '/callback-endpoints');
    } catch (error) {
      toastError(error);
    } finally {
      setSending(false);
    }
  };
  return (
    <Drawer
      title={t(`callbacks.type.${event.type}`)}
      state={<EventStateTag state={event.state} pill />}
      meta={<DateTime value={event.time} style="stamp" />}
      actions={
        <>
          {event.messageId !== null && (
            <ButtonLink
              to="/bussinessStatistics/sendRecord"
              search={{ open: event.messageId, ...(isTest && { test: '1' }) }}
            >
              {t('inbound.record.open')}
            </ButtonLink>
          )}
          {event.thresholdId !== null && (
            <ButtonLink to="/deliveryThreshold" search={{ open: event.thresholdId }}>
              {t('callbacks.threshold.open')}
            </ButtonLink>
          )}
          {mayWrite && event.type !== 'test' && (
            <Button icon={RotateCw} loading={isSending} onClick={() => void retry()}>
              {t('callbacks.retry')}
            </Button>
          )}
        </>
      }
      onClose={onClose}
    >
      <EventFacts event={event} />
      <Section title={t('callbacks.log')}>
        <Tries tries={event.tries} />
      </Section>
      <Section title={t('callbacks.body')} aside={<CopyButton text={event.body} />}>
        <BodyText text={event.body} isPretty />
      </Section>
    </Drawer>
  );
}

function EventFacts({ event }: { event: CallbackDetail }) {
  const t = useText();
  return (
    <Facts
      items={[
        {
          key: 'to',
          label: t('callbacks.to'),
          value: (
            <>
              <bdi>{endpointName(t, event)}</bdi>
              <span className="cell-note">
                <Address url={event.url} />
              </span>
            </>
          ),
        },
        ...(event.clientStatus === null
          ? []
          : [{ key: 'status', label: t('records.status'), value: t(`records.status.${event.clientStatus}`) }]),
        ...(event.messageId === null
          ? []
          : [
              {
                key: 'message',
                label: t('records.id'),
                value: <CopyText text={event.messageId} label={t('records.id')} />,
              },
            ]),
        {
          key: 'id',
          label: idHeader,
          value: <CopyText text={`msg_${event.eventId.replaceAll('-', '')}`} label={idHeader} />,
        },
        { key: 'tries', label: t('callbacks.tries'), value: <Count value={event.attempts} /> },
        ...(event.nextTryTime === null
          ? []
          : [{ key: 'next', label: t('callbacks.nextTry'), value: <DateTime value={event.nextTryTime} /> }]),
      ]}
    />
  );
}

function Tries({ tries }: { tries: readonly CallbackAttempt[] }) {
  const t = useText();
  if (tries.length === 0) return <p className="ink-3">{t('callbacks.tries.none')}</p>;
  return (
    <ol className="callbacks-tries">
      {tries.map((attempt, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two tries may be of one millisecond.
        <li key={`${attempt.time} ${index}`}>
          <div className="callbacks-try">
            <AttemptAnswer attempt={attempt} />
            <DateTime value={attempt.time} style="stamp" />
          </div>
          {attempt.status !== null && (
            <details>
              <summary>{t('callbacks.response')}</summary>
              <AnswerText response={attempt.response} />
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}
