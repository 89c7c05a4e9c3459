import { Carrier, type SmsType, SmsType as smsTypes } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Field } from '../../ui/form/field.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { Select } from '../../ui/form/select.tsx';

/** Where a route leads or what a price is for; null: any. */
export interface ScopeValues {
  areaCode: string;
  carrier: string | null;
  smsType: SmsType | null;
}

export const carriers = Object.values(Carrier).map((value) => ({ value: value as string, label: value }));

interface ScopeFieldsProps {
  values: ScopeValues;
  set: (patch: Partial<ScopeValues>) => void;
  /** Complaint about the country. */
  error?: string | undefined;
}

export function ScopeFields({ values, set, error }: ScopeFieldsProps) {
  const t = useText();
  return (
    <div className="form-grid">
      <Field label={t('routing.carrier')}>
        <Select
          clearable
          placeholder={t('routing.anyCarrier')}
          value={values.carrier}
          onChange={(carrier) => set({ carrier })}
          options={carriers}
        />
      </Field>
      <Field label={t('routing.smsType')}>
        <Select
          clearable
          placeholder={t('routing.anyType')}
          value={values.smsType}
          onChange={(smsType) => set({ smsType })}
          options={Object.values(smsTypes).map((value) => ({ value, label: t(`customers.smsType.${value}`) }))}
        />
      </Field>
      <Field label={t('routing.areaCode')} required hint={t('routing.areaCode.hint')} error={error}>
        <TextInput
          code
          value={values.areaCode}
          onChange={(areaCode) => set({ areaCode: areaCode.toUpperCase() })}
          maxLength={2}
          autoComplete="off"
        />
      </Field>
    </div>
  );
}
