import type { TopUp } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useTypedNumbers } from '../../lib/format/use-typed-numbers.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Money } from '../../ui/data/text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { TextArea, TextInput } from '../../ui/form/inputs.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import type { Decision } from '../../ui/table/decision-columns.tsx';

interface TopUpDialogProps {
  decision: Decision;
  topUp: TopUp;
  onClose: () => void;
}

/** Shows the request once more: staff enter what arrived or say why not, its owner withdraws it. */
export function TopUpDialog({ decision, topUp, onClose }: TopUpDialogProps) {
  const t = useText();
  const numbers = useTypedNumbers();
  const refresh = useRefresh();
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState(() => numbers.writeMoney(topUp.amount));
  const { topUpId, customerId } = topUp;
  const params = { customerId, topUpId };
  const amount = numbers.money(typed);
  const isGiven = { approve: amount !== null && amount > 0, reject: reason.trim() !== '', withdraw: true }[decision];
  const decide = async () => {
    if (decision === 'approve') {
      const { state } = await call('POST /customers/:customerId/top-ups/:topUpId/approve', {
        params,
        body: { amount: amount ?? 0 },
      });
      toast(t(state === 'pending' ? 'approvals.sent' : 'approvals.approve.done'));
    } else {
      if (decision === 'reject')
        await call('POST /customers/:customerId/top-ups/:topUpId/reject', { params, body: { reason: reason.trim() } });
      else await call('POST /top-ups/:topUpId/withdraw', { params: { topUpId } });
      toast(t(`approvals.${decision}.done`));
    }
    await refresh('/top-ups', '/billing', '/customers', '/approvals');
  };
  return (
    <ConfirmDialog
      danger={decision === 'reject'}
      title={t(`approvals.${decision}.title`)}
      confirmLabel={t(decision === 'approve' ? 'customers.enter.confirm.topUp' : `approvals.${decision}`)}
      canConfirm={isGiven}
      onConfirm={decide}
      onClose={onClose}
    >
      <div className="form">
        <div>
          <p className="strong">
            <bdi>{topUp.reference}</bdi> · <Money value={topUp.amount} />
          </p>
          {topUp.operator && (
            <p className="small ink-2">
              <bdi>{topUp.operator}</bdi>
            </p>
          )}
        </div>
        {decision === 'approve' && (
          <Field label={t('customers.amount')} required hint={t('customers.amount.hint.topUp')}>
            <TextInput
              value={typed}
              onChange={setTyped}
              inputMode="decimal"
              autoComplete="off"
              dir="ltr"
              maxLength={24}
            />
          </Field>
        )}
        {decision === 'reject' && (
          <Field label={t('approvals.reject.reason')} required hint={t('billing.topUp.reject.hint')}>
            <TextArea value={reason} onChange={setReason} rows={2} maxLength={200} />
          </Field>
        )}
        {decision === 'withdraw' && <p>{t('approvals.withdraw.text')}</p>}
      </div>
    </ConfirmDialog>
  );
}
