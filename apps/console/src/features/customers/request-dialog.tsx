import { type AccountRequest, ReviewPolicy } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { TextArea } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { CustomerFields, type CustomerValues, validateCustomer } from './customer-fields.tsx';

interface RequestDialogProps {
  request: AccountRequest;
  onClose: () => void;
}

/** Adds the customer that was asked for; the person that asked becomes its owner. */
export function ApproveRequest({ request, onClose }: RequestDialogProps) {
  const t = useText();
  const refresh = useRefresh();
  const { accountRequestId } = request;
  const form = useForm<CustomerValues>({
    initial: { customerName: request.company, reviewPolicy: ReviewPolicy.FirstTask },
    validate: (values) => validateCustomer(values, t),
    submit: async (body) => {
      await call('POST /account-requests/:accountRequestId/approve', { params: { accountRequestId }, body });
      toast(t('customers.added.email'));
      await refresh('/account-requests', '/customers', '/overview');
      onClose();
    },
    codeFields: { CUSTOMER_NAME_TAKEN: 'customerName' },
  });
  return (
    <FormDialog title={t('customers.add')} form={form} saveLabel={t('customers.add')} onClose={onClose}>
      <p>{t.rich('customers.request.approve.text', { email: <bdi dir="ltr">{request.email}</bdi> })}</p>
      <CustomerFields form={form} />
    </FormDialog>
  );
}

export function RejectRequest({ request, onClose }: RequestDialogProps) {
  const t = useText();
  const refresh = useRefresh();
  const { accountRequestId, state, email } = request;
  const form = useForm<{ reason: string }>({
    initial: { reason: '' },
    validate: ({ reason }) =>
      reason.trim() === '' ? { reason: t('ui.required.message', { label: t('approvals.reject.reason') }) } : {},
    submit: async ({ reason }) => {
      const body = { reason: reason.trim() };
      await call('POST /account-requests/:accountRequestId/reject', { params: { accountRequestId }, body });
      toast(t('approvals.reject.done'));
      await refresh('/account-requests', '/overview');
      onClose();
    },
  });
  const hint =
    state === 'unconfirmed' ? t('customers.request.reject.silent') : t('customers.request.reject.mailed', { email });
  return (
    <FormDialog title={t('approvals.reject.title')} form={form} saveLabel={t('approvals.reject')} onClose={onClose}>
      <Field label={t('approvals.reject.reason')} required hint={hint} {...form.field('reason')}>
        <TextArea {...form.bind('reason')} rows={4} maxLength={500} />
      </Field>
    </FormDialog>
  );
}
