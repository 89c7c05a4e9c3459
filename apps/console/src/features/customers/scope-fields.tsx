import { Carrier, type SmsType, SmsType as smsTypes } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Select } from '../../ui/form/select.tsx';

/** What a price or a limit is about; null: any. */
export interface ScopeValues {
  carrier: string | null;
  smsType: SmsType | null;
}

interface ScopeFieldsProps {
  values: ScopeValues;
  set: (patch: Partial<ScopeValues>) => void;
}

export function ScopeFields({ values, set }: ScopeFieldsProps) {
  const t = useText();
  return (
    <div className="form-grid">
      <Field label={t('customers.carrier')}>
        <Select
          clearable
          placeholder={t('customers.any')}
          value={values.carrier}
          onChange={(carrier) => set({ carrier })}
          options={Object.values(Carrier).map((value) => ({ value: value as string, label: value }))}
        />
      </Field>
      <Field label={t('customers.smsType')}>
        <Select
          clearable
          placeholder={t('customers.any')}
          value={values.smsType}
          onChange={(smsType) => set({ smsType })}
          options={Object.values(smsTypes).map((value) => ({ value, label: t(`customers.smsType.${value}`) }))}
        />
      </Field>
    </div>
  );
}

/** The same in words: "Globe · Marketing", or what stands for all. */
export function useScopeText(): (scope: ScopeValues & { appId?: string | null }) => string {
  const t = useText();
  return ({ carrier, smsType, appId }) =>
    [appId, carrier, smsType === null ? null : t(`customers.smsType.${smsType}`)]
      .filter((part) => part !== null && part !== undefined)
      .join(' · ') || t('customers.scope.all');
}
