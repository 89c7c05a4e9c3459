import { AuditStatus, type Sender } from '@pahatid/contract';
import { useFormats } from '../../lib/format/formats.ts';
import { rejectionText } from '../../lib/i18n/rejection-text.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { auditStatusLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';

/** Audit state with its main detail: the reason of a rejection, or when a decision is expected. */
export function SenderAudit({ sender, pill = false }: { sender: Sender; pill?: boolean }) {
  const t = useText();
  const formats = useFormats();
  const pending = sender.auditStatus === AuditStatus.Pending && sender.expectedTime;
  const note = pending
    ? t('senders.expected', { time: formats.date(pending, 'short') })
    : (rejectionText(sender.auditCode, sender.auditReason, t) ?? undefined);
  return (
    <StatusTag
      {...auditStatusLooks[sender.auditStatus]!}
      pill={pill}
      {...(note && !pill && { note: <span title={note}>{note}</span> })}
    >
      {t(`senders.auditStatus.${sender.auditStatus}`)}
    </StatusTag>
  );
}
