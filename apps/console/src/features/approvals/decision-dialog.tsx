import type { Approval } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { TextArea } from '../../ui/form/inputs.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import type { Decision } from '../../ui/table/decision-columns.tsx';
import { RequestText } from './request-text.tsx';

interface DecisionDialogProps {
  decision: Decision;
  approval: Approval;
  onClose: () => void;
}

/** Shows the request once more before it is approved, rejected with a reason, or withdrawn. */
export function DecisionDialog({ decision, approval, onClose }: DecisionDialogProps) {
  const t = useText();
  const refresh = useRefresh();
  const [reason, setReason] = useState('');
  const decide = async () => {
    const params = { approvalId: approval.approvalId };
    if (decision === 'reject')
      await call('POST /approvals/:approvalId/reject', { params, body: { reason: reason.trim() } });
    else await call(`POST /approvals/:approvalId/${decision}`, { params });
    toast(t(`approvals.${decision}.done`));
    await refresh('/approvals', '/approval-limits', '/prices', '/price-changes', '/customers', '/billing');
  };
  return (
    <ConfirmDialog
      danger={decision === 'reject'}
      title={t(`approvals.${decision}.title`)}
      confirmLabel={t(`approvals.${decision}`)}
      canConfirm={decision !== 'reject' || reason.trim() !== ''}
      onConfirm={decide}
      onClose={onClose}
    >
      <div className="form">
        <div>
          <RequestText approval={approval} />
          {approval.operator !== null && (
            <p className="small ink-2">
              <bdi>{approval.operator}</bdi>
            </p>
          )}
        </div>
        {decision === 'reject' ? (
          <Field label={t('approvals.reject.reason')} required hint={t('approvals.reject.hint')}>
            <TextArea value={reason} onChange={setReason} rows={2} maxLength={200} />
          </Field>
        ) : (
          <p>{t(`approvals.${decision}.text`)}</p>
        )}
      </div>
    </ConfirmDialog>
  );
}
