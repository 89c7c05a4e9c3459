import type { CustomerDetail } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { TextArea } from '../../ui/form/inputs.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';

/** Asks for the reason, which other staff see. */
export function SuspendDialog({ customer, onClose }: { customer: CustomerDetail; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const [reason, setReason] = useState('');
  const suspend = async () => {
    const params = { customerId: customer.customerId };
    await call('POST /customers/:customerId/suspend', { params, body: { reason: reason.trim() } });
    toast(t('customers.suspended'));
    await refresh('/customers', '/tasks', '/overview');
  };
  return (
    <ConfirmDialog
      danger
      title={t('customers.suspend.title', { name: customer.customerName })}
      confirmLabel={t('customers.suspend.confirm')}
      canConfirm={reason.trim() !== ''}
      onConfirm={suspend}
      onClose={onClose}
    >
      <div className="stack customers-ask">
        <p>{t('customers.suspend.text')}</p>
        <Field label={t('customers.suspend.reason')} required hint={t('customers.suspend.reason.hint')}>
          <TextArea value={reason} onChange={setReason} rows={2} maxLength={200} />
        </Field>
      </div>
    </ConfirmDialog>
  );
}
