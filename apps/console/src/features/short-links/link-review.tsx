import { AuditStatus, type ShortLink } from '@pahatid/contract';
import { rejectionText } from '../../lib/i18n/rejection-text.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Note } from '../../ui/page/page.tsx';

/** Why a link leads nowhere: nobody approved it yet, a reviewer rejected it, or staff disabled it for everybody. */
export function LinkReview({ link }: { link: ShortLink }) {
  const t = useText();
  if (link.blockedReason !== null)
    return <Note tone="danger">{t('shortLinks.blocked', { reason: link.blockedReason })}</Note>;
  if (link.auditStatus === AuditStatus.Pending) return <Note tone="warning">{t('shortLinks.pending')}</Note>;
  if (link.auditStatus !== AuditStatus.Rejected) return null;
  const reason = rejectionText(link.auditCode, link.auditReason, t) ?? '';
  return <Note tone="danger">{t('shortLinks.rejected', { reason })}</Note>;
}
