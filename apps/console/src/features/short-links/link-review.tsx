import { AuditStatus, type ShortLink } from '@pahatid/contract';
import { useSession } from '../../lib/api/session.ts';
import { rejectionText } from '../../lib/i18n/rejection-text.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Note } from '../../ui/page/page.tsx';

/** Why a link is inactive: not approved yet, rejected by a reviewer, or disabled by staff for everyone. */
export function LinkReview({ link }: { link: ShortLink }) {
  const t = useText();
  const isStaff = useSession().user.kind === 'staff';
  if (link.blockedReason !== null)
    return (
      <Note tone="danger">
        {t(isStaff ? 'shortLinks.blocked.byStaff' : 'shortLinks.blocked', { reason: link.blockedReason })}
      </Note>
    );
  if (link.auditStatus === AuditStatus.Pending) return <Note tone="warning">{t('shortLinks.pending')}</Note>;
  if (link.auditStatus !== AuditStatus.Rejected) return null;
  const reason = rejectionText(link.auditCode, link.auditReason, t) ?? '';
  return <Note tone="danger">{t('shortLinks.rejected', { reason })}</Note>;
}
