import type { Consent } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { useRefresh } from '../../../lib/api/use-call.ts';
import { useText } from '../../../lib/i18n/use-text.tsx';
import { formatPhone } from '../../../ui/data/text.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { TextInput } from '../../../ui/form/inputs.tsx';
import { ConfirmDialog } from '../../../ui/layers/dialog.tsx';

/** Withdrawing requires a reason, which is stored in the audit log. */
export function WithdrawConsent({ consent, onClose }: { consent: Consent; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const [reason, setReason] = useState('');
  const { mobileNumber } = consent;
  const withdraw = async () => {
    await call('POST /consents/withdraw', { body: { mobileNumber, reason } });
    await refresh('/consents');
  };
  return (
    <ConfirmDialog
      danger
      title={t('consents.withdraw.title', { number: formatPhone(mobileNumber) })}
      confirmLabel={t('approvals.withdraw')}
      canConfirm={reason.trim() !== ''}
      onConfirm={withdraw}
      onClose={onClose}
    >
      <div className="stack">
        <p>{t('consents.withdraw.text')}</p>
        <Field label={t('optOuts.reason')} required>
          <TextInput value={reason} maxLength={200} autoComplete="off" onChange={setReason} />
        </Field>
      </div>
    </ConfirmDialog>
  );
}
