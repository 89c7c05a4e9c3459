import { AuditStatus, type ReviewItem } from '@pahatid/contract';
import { Check } from 'lucide-react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import type { BulkActions } from '../../ui/table/bulk-action.ts';

/** What a reviewer can decide for several items; each is claimed first, as when it is opened. */
export function useBulkReviewActions(): BulkActions<ReviewItem> {
  const t = useText();
  const refresh = useRefresh();
  return {
    nameOf: (item) => item.title,
    actions: [
      {
        key: 'approve',
        label: t('review.approve'),
        icon: Check,
        question: null,
        isFor: ({ auditStatus, claim }) => auditStatus === AuditStatus.Pending && (claim === null || claim.isMine),
        one: approve,
        after: () => refresh('/reviews', '/overview'),
      },
    ],
  };
}

/** Of the version that the list shows: one that was changed since is not approved unread. */
async function approve({ kind, id, version }: ReviewItem): Promise<void> {
  const params = { kind: `${kind}s` as const, id };
  await call('POST /reviews/:kind/:id/claim', { params });
  try {
    await call('POST /reviews/:kind/:id/approve', { params, body: version === null ? {} : { version } });
  } catch (error) {
    await call('POST /reviews/:kind/:id/release', { params }).catch(() => undefined);
    throw error;
  }
}
