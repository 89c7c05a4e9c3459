import { useText } from '../../lib/i18n/use-text.tsx';
import { CountrySelect } from '../../ui/form/country-select.tsx';
import { Field } from '../../ui/form/field.tsx';
import { ScopeFields, type ScopeValues } from '../../ui/form/scope-fields.tsx';

/** Target of a route or scope of a price. */
export interface RouteScope extends ScopeValues {
  areaCode: string;
}

interface RouteScopeFieldsProps {
  values: RouteScope;
  set: (patch: Partial<RouteScope>) => void;
  /** Complaint about the country. */
  error?: string | undefined;
}

export function RouteScopeFields({ values, set, error }: RouteScopeFieldsProps) {
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
      <Field label={t('routing.areaCode')} required error={error}>
        <CountrySelect value={values.areaCode} onChange={(areaCode) => set({ areaCode })} />
      </Field>
    </ScopeFields>
  );
}
