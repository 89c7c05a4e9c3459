import { useText } from '../../lib/i18n/use-text.tsx';
import { Field } from '../../ui/form/field.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { Select } from '../../ui/form/select.tsx';
import { type SimplePolicy, simplePolicies } from './simple-policies.ts';

export interface CustomerValues {
  customerName: string;
  reviewPolicy: SimplePolicy;
}

export const validateCustomer = (
  { customerName }: CustomerValues,
  t: ReturnType<typeof useText>,
): { customerName?: string } =>
  customerName.trim() === '' ? { customerName: t('ui.required.message', { label: t('customers.name') }) } : {};

interface CustomerFieldsProps {
  form: {
    values: CustomerValues;
    set: (patch: Partial<CustomerValues>) => void;
    field: (name: 'customerName' | 'reviewPolicy') => { error: string | undefined };
  };
}

/** What a new customer is called, and how its texts are reviewed. */
export function CustomerFields({ form }: CustomerFieldsProps) {
  const t = useText();
  return (
    <>
      <Field label={t('customers.name')} required hint={t('customers.name.hint')} {...form.field('customerName')}>
        <TextInput
          value={form.values.customerName}
          onChange={(customerName) => form.set({ customerName })}
          maxLength={100}
          autoComplete="off"
        />
      </Field>
      <Field
        label={t('customers.reviewPolicy')}
        hint={t('customers.reviewPolicy.hint')}
        {...form.field('reviewPolicy')}
      >
        <Select
          value={form.values.reviewPolicy}
          onChange={(policy) => policy && form.set({ reviewPolicy: policy })}
          options={simplePolicies.map((value) => ({ value, label: t(`customers.policy.${value}`) }))}
        />
      </Field>
    </>
  );
}
