import type { CustomerDetail } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import type { TypedNumbers } from '../../lib/format/typed-numbers.ts';
import { useTypedNumbers } from '../../lib/format/use-typed-numbers.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { MoneyInput, NumberInput, TextInput } from '../../ui/form/inputs.tsx';
import type { ScopeValues } from '../../ui/form/scope-fields.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { CustomerScope } from './customer-scope.tsx';

const periods = ['hour', 'day', 'month'] as const;
const units = ['messages', 'segments', 'cost'] as const;
const perPhone = ['sameContentPer30s', 'perMinute', 'perHour', 'perDay'] as const;

interface Values extends ScopeValues {
  kind: 'volume' | 'frequency';
  appId: string | null;
  period: (typeof periods)[number];
  unit: (typeof units)[number];
  /** A count, or pesos. */
  limitAt: string;
  sameContentPer30s: number | null;
  perMinute: number | null;
  perHour: number | null;
  perDay: number | null;
}

const readLimit = ({ unit, limitAt }: Values, numbers: TypedNumbers): number | null => {
  if (unit === 'cost') return numbers.money(limitAt);
  const digits = numbers.plain(limitAt);
  return /^\d{1,12}$/.test(digits) ? Number(digits) : null;
};

/** A new limit: so much in all, or so much to one phone. It counts for the next message. */
export function LimitForm({ customer, onClose }: { customer: CustomerDetail; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const numbers = useTypedNumbers();
  const form = useForm<Values>({
    initial: {
      kind: 'volume',
      appId: null,
      carrier: null,
      smsType: null,
      period: 'day',
      unit: 'messages',
      limitAt: '',
      sameContentPer30s: null,
      perMinute: null,
      perHour: null,
      perDay: null,
    },
    validate: (values) => {
      if (values.kind === 'volume') {
        const limit = readLimit(values, numbers);
        return limit === null || limit < 0 ? { limitAt: t('customers.limit.limitAt.wrong') } : {};
      }
      return perPhone.every((name) => values[name] === null) ? { perDay: t('customers.limit.perPhone.wrong') } : {};
    },
    pesoFields: ['limitAt'],
    submit: async (values) => {
      const params = { customerId: customer.customerId };
      const { appId, carrier, smsType, period, unit, sameContentPer30s, perMinute, perHour, perDay } = values;
      const scope = { appId, carrier, smsType };
      const body =
        values.kind === 'volume'
          ? { kind: 'volume' as const, ...scope, period, unit, limitAt: readLimit(values, numbers) ?? 0 }
          : { kind: 'frequency' as const, ...scope, sameContentPer30s, perMinute, perHour, perDay };
      await call('POST /customers/:customerId/limits', { params, body });
      toast(t('customers.limit.added'));
      await refresh('/customers');
      onClose();
    },
  });
  const { values } = form;
  return (
    <FormDialog title={t('customers.limit.add')} form={form} saveLabel={t('customers.limit.add')} onClose={onClose}>
      <Segmented
        label={t('customers.limit.kind')}
        options={(['volume', 'frequency'] as const).map((value) => ({
          value,
          label: t(`customers.limit.kind.${value}`),
        }))}
        value={values.kind}
        onChange={(kind) => form.set({ kind })}
      />
      {values.kind === 'volume' ? (
        <>
          <Field label={t('customers.limit.limitAt')} required {...form.field('limitAt')}>
            {values.unit === 'cost' ? (
              <MoneyInput {...form.bind('limitAt')} maxLength={20} />
            ) : (
              <TextInput {...form.bind('limitAt')} inputMode="numeric" dir="ltr" autoComplete="off" maxLength={20} />
            )}
          </Field>
          <div className="form-grid">
            <Field label={t('customers.limit.unit')}>
              <Select
                value={values.unit}
                onChange={(unit) => unit && form.set({ unit })}
                options={units.map((value) => ({ value, label: t(`customers.limit.unitName.${value}`) }))}
              />
            </Field>
            <Field label={t('customers.limit.period')}>
              <Select
                value={values.period}
                onChange={(period) => period && form.set({ period })}
                options={periods.map((value) => ({ value, label: t(`customers.limit.period.${value}`) }))}
              />
            </Field>
          </div>
        </>
      ) : (
        <div className="form-grid">
          {perPhone.map((name) => (
            <Field key={name} label={t(`customers.limit.field.${name}`)} {...form.field(name)}>
              <NumberInput {...form.bind(name)} min={1} max={100_000} />
            </Field>
          ))}
        </div>
      )}
      <Field label={t('customers.application')}>
        <Select
          clearable
          placeholder={t('customers.any')}
          value={values.appId}
          onChange={(appId) => form.set({ appId })}
          options={customer.applications.map((row) => ({ value: row.appId, label: row.appName, aside: row.appId }))}
        />
      </Field>
      <CustomerScope values={values} set={(patch) => form.set(patch)} />
    </FormDialog>
  );
}
