import { readAssignedNumber } from '@pahatid/domain';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { TextArea, TextInput } from '../../ui/form/inputs.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useForm } from '../../ui/form/use-form.ts';

interface Values {
  customerId: string | null;
  appId: string | null;
  number: string;
  remarkInfo: string;
}

/** Assigns a number to an application of one customer. */
export default function AssignNumber({ onClose }: { onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const [search, setSearch] = useState('');
  const customers = useCall(
    'GET /customers',
    { query: { limit: '20', ...(search !== '' && { search }) } },
    { keepPrevious: true },
  );
  const form = useForm<Values>({
    initial: { customerId: null, appId: null, number: '', remarkInfo: '' },
    validate: ({ customerId, appId, number }) => ({
      ...(customerId === null && { customerId: t('ui.required.choice', { label: t('senders.operator') }) }),
      ...(appId === null && { appId: t('ui.required.choice', { label: t('senders.application') }) }),
      ...(readAssignedNumber(number) === null && { number: t('error.NUMBER_INVALID') }),
    }),
    submit: async ({ customerId, appId, ...rest }) => {
      const params = { customerId: customerId ?? '' };
      await call('POST /customers/:customerId/numbers', { params, body: { ...rest, appId: appId ?? '' } });
      toast(t('senders.number.assigned'));
      await refresh('/numbers');
      onClose();
    },
    codeFields: { NUMBER_TAKEN: 'number', NUMBER_INVALID: 'number', APP_NOT_FOUND: 'appId' },
  });
  const { customerId } = form.values;
  const customer = useCall(
    'GET /customers/:customerId',
    { params: { customerId: customerId ?? '' } },
    { enabled: customerId !== null },
  );
  const applications = customerId === null ? [] : (customer.data?.applications ?? []);
  const found = (customers.data?.items ?? []).map((each) => ({ value: each.customerId, label: each.customerName }));
  const chosen = customer.data && { value: customer.data.customerId, label: customer.data.customerName };
  return (
    <FormDialog title={t('senders.number.assign')} form={form} onClose={onClose}>
      <Field label={t('senders.operator')} required {...form.field('customerId')}>
        <Select
          value={customerId}
          onChange={(next) => form.set({ customerId: next, appId: null })}
          onSearch={setSearch}
          loading={customers.isPending}
          options={chosen && !found.some(({ value }) => value === chosen.value) ? [chosen, ...found] : found}
        />
      </Field>
      <Field label={t('senders.application')} required {...form.field('appId')}>
        <Select
          {...form.bind('appId')}
          disabled={customerId === null}
          options={applications.map((app) => ({ value: app.appId, label: app.appName, aside: app.appId }))}
        />
      </Field>
      <Field label={t('senders.number')} required hint={t('senders.number.hint')} {...form.field('number')}>
        <TextInput code {...form.bind('number')} inputMode="tel" maxLength={30} autoComplete="off" />
      </Field>
      <Field label={t('senders.remarks')} optional {...form.field('remarkInfo')}>
        <TextArea {...form.bind('remarkInfo')} rows={2} maxLength={200} />
      </Field>
    </FormDialog>
  );
}
