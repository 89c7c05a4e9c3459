import type { InboundDetail } from '@pahatid/contract';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import { CopyButton, Dash, DateTime, formatPhone, Mono } from '../../ui/data/text.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { LoadingDrawer } from '../../ui/layers/loading-drawer.tsx';
import { Facts, Note, Section } from '../../ui/page/page.tsx';
import { clientStatusLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { OptOutTag } from './inbound-kind.tsx';
import './inbound.css';

/** One reply with the message it answers, as displayed on the phone. */
export function InboundDrawer({ inboundId, onClose }: { inboundId: string; onClose: () => void }) {
  const t = useText();
  const [{ customerId }] = useSearchParams(['customerId']);
  const detail = useCall('GET /inbound/:inboundId', { params: { inboundId }, query: { customerId } });
  const reply = detail.data;
  if (!reply) return <LoadingDrawer title={t('inbound.title')} read={detail} onClose={onClose} />;
  // A masked number finds nothing.
  const isWhole = /^\d+$/.test(reply.mobileNumber);
  return (
    <Drawer
      title={<bdi dir="ltr">{formatPhone(reply.mobileNumber)}</bdi>}
      state={<OptOutTag reply={reply} pill />}
      meta={<DateTime value={reply.time} style="stamp" />}
      actions={
        isWhole && (
          <ButtonLink to="/bussinessStatistics/sendRecord" search={{ phoneAddress: reply.mobileNumber }}>
            {t('inbound.records')}
          </ButtonLink>
        )
      }
      onClose={onClose}
    >
      <Refusal reply={reply} isWhole={isWhole} />
      <Section title={t('inbound.text')} aside={<CopyButton text={reply.content} />}>
        <p className="inbound-bubble is-reply" dir="auto">
          {reply.content}
        </p>
      </Section>
      <Section title={t('inbound.answered')}>
        <Answered reply={reply} />
      </Section>
      <Section title={t('records.facts')}>
        <Facts
          items={[
            { key: 'destination', label: t('inbound.destination'), value: <Mono>{reply.destination}</Mono> },
            {
              key: 'task',
              label: t('records.taskName'),
              value: reply.taskName === null ? <Dash /> : <bdi>{reply.taskName}</bdi>,
            },
            {
              key: 'app',
              label: t('records.application'),
              value: reply.appId === null ? <Dash /> : <Mono>{reply.appId}</Mono>,
            },
          ]}
        />
      </Section>
    </Drawer>
  );
}

/** What the refusal led to, and whether it still holds. */
function Refusal({ reply, isWhole }: { reply: InboundDetail; isWhole: boolean }) {
  const t = useText();
  const formats = useFormats();
  if (reply.optOut !== 1 && reply.optOutTime === null) return null;
  const since =
    reply.optOutTime !== null && t('inbound.refused.since', { time: formats.date(reply.optOutTime, 'dateTime') });
  return (
    <Note tone="warning">
      {reply.optOut === 1 && <p>{t('inbound.refused')}</p>}
      <p>{since || t('inbound.refused.removed')}</p>
      {isWhole && reply.optOutTime !== null && (
        <p className="inbound-list">
          <ButtonLink size="small" to="/opt-outs" search={{ mobileNumber: reply.mobileNumber }}>
            {t('inbound.optOut.open')}
          </ButtonLink>
        </p>
      )}
    </Note>
  );
}

function Answered({ reply }: { reply: InboundDetail }) {
  const t = useText();
  const { answered } = reply;
  if (answered === null)
    return <p className="ink-3">{t(reply.messageId === null ? 'inbound.answered.none' : 'inbound.answered.gone')}</p>;
  return (
    <div className="inbound-answered">
      <p className="ink-3 small">{t('inbound.answered.how')}</p>
      <p className="inbound-bubble" dir="auto">
        {answered.fullMessage}
      </p>
      <div className="row wrap inbound-line">
        <Mono>{answered.clientSid}</Mono>
        <DateTime value={answered.clientRequestTime} style="dateTime" />
        <StatusTag {...clientStatusLooks[answered.clientStatus]!}>
          {t(`records.status.${answered.clientStatus}`)}
        </StatusTag>
        <span className="grow" />
        <ButtonLink size="small" to="/bussinessStatistics/sendRecord" search={{ open: answered.messageId }}>
          {t('inbound.record.open')}
        </ButtonLink>
      </div>
    </div>
  );
}
