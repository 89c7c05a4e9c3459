import type { OptOut } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { formatPhone } from '../../ui/data/text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';

/** Removing a number from the list requires a reason, which is stored in the audit log. */
export function RemoveOptOut({ optOut, onClose }: { optOut: OptOut; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const [reason, setReason] = useState('');
  const remove = async () => {
    await call('POST /opt-outs/remove', { body: { mobileNumber: optOut.mobileNumber, reason } });
    toast(t('optOuts.removed'));
    await refresh('/opt-outs', '/groups');
  };
  return (
    <ConfirmDialog
      danger
      title={t('optOuts.remove.title', { number: formatPhone(optOut.mobileNumber) })}
      confirmLabel={t('optOuts.remove.confirm')}
      canConfirm={reason.trim() !== ''}
      onConfirm={remove}
      onClose={onClose}
    >
      <div className="stack">
        <p>{t('optOuts.remove.text')}</p>
        <Field label={t('optOuts.reason')} required hint={t('optOuts.reason.hint')}>
          <TextInput value={reason} maxLength={200} autoComplete="off" onChange={setReason} />
        </Field>
      </div>
    </ConfirmDialog>
  );
}
