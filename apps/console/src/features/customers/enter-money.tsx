import type { CustomerDetail } from '@pahatid/contract';
import { useState } from 'react';
import { callOnce } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useTypedNumbers } from '../../lib/format/use-typed-numbers.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Note } from '../../ui/page/note.tsx';

type Kind = 'topUp' | 'adjustment';

/** Money that came in, or a correction. Sent under one key: a repeated click enters it once. */
export function EnterMoney({ customer, onClose }: { customer: CustomerDetail; onClose: () => void }) {
  const t = useText();
  const formats = useFormats();
  const refresh = useRefresh();
  const numbers = useTypedNumbers();
  const [key] = useState(() => crypto.randomUUID());
  const form = useForm<{ kind: Kind; amount: string; note: string }>({
    initial: { kind: 'topUp', amount: '', note: '' },
    validate: ({ kind, amount, note }) => {
      const money = numbers.money(amount);
      const isWrong = money === null || money === 0 || (kind === 'topUp' && money < 0);
      return {
        ...(isWrong && { amount: t(`customers.amount.wrong.${kind}`) }),
        ...(kind === 'adjustment' &&
          note.trim() === '' && { note: t('ui.required.message', { label: t('customers.note') }) }),
      };
    },
    pesoFields: ['amount'],
    submit: async ({ kind, amount, note }) => {
      const params = { customerId: customer.customerId };
      const body = { kind, amount: numbers.money(amount) ?? 0, note: note.trim() };
      // The key depends on the body: a request corrected after a refusal is a different one.
      const answer = await callOnce(`${key}-${hash(JSON.stringify(body))}`)('POST /customers/:customerId/ledger', {
        params,
        body,
      });
      if ('approvalId' in answer) toast(t('approvals.sent'), 'info');
      else toast(t('customers.entered', { balance: formats.money(answer.balance) }));
      await refresh('/customers', '/billing', '/approvals');
      onClose();
    },
  });
  const amount = numbers.money(form.values.amount);
  const limit = useCall('GET /approval-limits').data?.ledger;
  const needsApproval = amount !== null && limit !== undefined && Math.abs(amount) > limit;
  return (
    <FormDialog
      title={t(`customers.enter.${form.values.kind}`)}
      form={form}
      saveLabel={t(needsApproval ? 'approvals.request' : `customers.enter.confirm.${form.values.kind}`)}
      onClose={onClose}
    >
      <Segmented
        label={t('customers.kind')}
        options={[
          { value: 'topUp', label: t('customers.kind.topUp') },
          { value: 'adjustment', label: t('customers.kind.adjustment') },
        ]}
        value={form.values.kind}
        onChange={(kind) => form.set({ kind })}
      />
      <Field
        label={t('customers.amount')}
        required
        hint={t(`customers.amount.hint.${form.values.kind}`)}
        {...form.field('amount')}
      >
        <TextInput {...form.bind('amount')} inputMode="decimal" autoComplete="off" dir="ltr" maxLength={24} />
      </Field>
      <Field
        label={t('customers.note')}
        required={form.values.kind === 'adjustment'}
        hint={t('customers.note.hint')}
        {...form.field('note')}
      >
        <TextInput {...form.bind('note')} autoComplete="off" maxLength={200} />
      </Field>
      {needsApproval && <Note tone="warning">{t('approvals.needed', { limit: formats.money(limit) })}</Note>}
      {amount !== null && amount !== 0 && !needsApproval && (
        <p className="small ink-2">{t('customers.after', { balance: formats.money(customer.balance + amount) })}</p>
      )}
    </FormDialog>
  );
}

/** Short and stable; not used for security. */
const hash = (text: string): string => {
  let sum = 0;
  for (const character of text) sum = (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return sum.toString(36);
};
