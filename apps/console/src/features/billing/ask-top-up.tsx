import { receiptLimitBytes } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { isAttachment, toAttachment } from '../../lib/files/attachments.ts';
import { useTypedNumbers } from '../../lib/format/use-typed-numbers.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { AttachmentInput } from '../../ui/form/attachment-input.tsx';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';

/** An owner asks for a top-up of what was transferred: the sum, the reference, and the bank's receipt. */
export function AskTopUp({ onClose }: { onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const numbers = useTypedNumbers();
  const form = useForm<{ amount: string; reference: string; receipt: File | null }>({
    initial: { amount: '', reference: '', receipt: null },
    validate: ({ amount, reference, receipt }) => {
      const money = numbers.money(amount);
      const isReceipt = receipt === null || isAttachment(receipt, receiptLimitBytes);
      return {
        ...((money === null || money <= 0) && { amount: t('customers.amount.wrong.topUp') }),
        ...(reference.trim() === '' && {
          reference: t('ui.required.message', { label: t('billing.topUp.reference') }),
        }),
        ...(!isReceipt && { receipt: t('billing.topUp.receipt.hint') }),
      };
    },
    pesoFields: ['amount'],
    submit: async ({ amount, reference, receipt }) => {
      await call('POST /top-ups', {
        body: {
          amount: numbers.money(amount) ?? 0,
          reference: reference.trim(),
          ...(receipt !== null && { receipt: await toAttachment(receipt) }),
        },
      });
      toast(t('billing.topUp.sent'));
      await refresh('/top-ups');
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('billing.topUp.ask')}
      form={form}
      saveLabel={t('billing.topUp.ask')}
      isDirty={form.values.receipt !== null || undefined}
      onClose={onClose}
    >
      <Field label={t('customers.amount')} required hint={t('billing.topUp.amount.hint')} {...form.field('amount')}>
        <TextInput {...form.bind('amount')} inputMode="decimal" autoComplete="off" dir="ltr" maxLength={24} />
      </Field>
      <Field
        label={t('billing.topUp.reference')}
        required
        hint={t('billing.topUp.reference.hint')}
        {...form.field('reference')}
      >
        <TextInput {...form.bind('reference')} autoComplete="off" maxLength={100} />
      </Field>
      <Field
        label={t('billing.topUp.receipt')}
        optional
        hint={t('billing.topUp.receipt.hint')}
        {...form.field('receipt')}
      >
        <AttachmentInput file={form.values.receipt} onChoose={(receipt) => form.set({ receipt })} />
      </Field>
    </FormDialog>
  );
}
