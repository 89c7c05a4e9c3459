import { useText } from '../../lib/i18n/use-text.tsx';
import { Field } from '../../ui/form/field.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { ScopeFields, type ScopeValues } from '../../ui/form/scope-fields.tsx';

/** Where a route leads or what a price is for. */
export interface WayValues extends ScopeValues {
  areaCode: string;
}

interface WayFieldsProps {
  values: WayValues;
  set: (patch: Partial<WayValues>) => void;
  /** Complaint about the country. */
  error?: string | undefined;
}

export function WayFields({ values, set, error }: WayFieldsProps) {
  const t = useText();
  return (
    <ScopeFields
      values={values}
      set={set}
      labels={{
        carrier: 'routing.carrier',
        anyCarrier: 'routing.anyCarrier',
        smsType: 'routing.smsType',
        anySmsType: 'routing.anyType',
      }}
    >
      <Field label={t('routing.areaCode')} required hint={t('routing.areaCode.hint')} error={error}>
        <TextInput
          code
          value={values.areaCode}
          onChange={(areaCode) => set({ areaCode: areaCode.toUpperCase() })}
          maxLength={2}
          autoComplete="off"
        />
      </Field>
    </ScopeFields>
  );
}
