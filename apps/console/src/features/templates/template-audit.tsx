import { AuditStatus, type Template } from '@pahatid/contract';
import { useFormats } from '../../lib/format/formats.ts';
import { rejectionText } from '../../lib/i18n/rejection-text.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { auditStatusLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';

/**
 * Audit state with its main detail: the reason of a rejection, when a decision is expected, which version still sends.
 */
export function TemplateAudit({ template, pill = false }: { template: Template; pill?: boolean }) {
  const t = useText();
  const formats = useFormats();
  const note = (): string | null => {
    if (template.auditStatus === AuditStatus.Rejected)
      return rejectionText(template.auditCode, template.auditReason, t);
    if (template.auditStatus === AuditStatus.Pending && template.expectedTime)
      return t('templates.expected', { time: formats.date(template.expectedTime, 'short') });
    return null;
  };
  const shownNote = pill ? null : note();
  return (
    <StatusTag
      {...auditStatusLooks[template.auditStatus]!}
      pill={pill}
      {...(shownNote && { note: <span title={shownNote}>{shownNote}</span> })}
    >
      {t(`templates.auditStatus.${template.auditStatus}`)}
    </StatusTag>
  );
}
