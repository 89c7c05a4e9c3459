import { useText } from '../../lib/i18n/use-text.tsx';
import { ScopeFields, type ScopeValues } from '../../ui/form/scope-fields.tsx';

interface CustomerScopeProps {
  values: ScopeValues;
  set: (patch: Partial<ScopeValues>) => void;
}

/** The scope of a price or a limit. */
export const CustomerScope = (props: CustomerScopeProps) => (
  <ScopeFields
    {...props}
    labels={{
      carrier: 'customers.carrier',
      anyCarrier: 'customers.any',
      smsType: 'customers.smsType',
      anySmsType: 'customers.any',
    }}
  />
);

/** The same as text: "Globe · Marketing", or the label for all. */
export function useScopeText(): (scope: ScopeValues & { appId?: string | null }) => string {
  const t = useText();
  return ({ carrier, smsType, appId }) =>
    [appId, carrier, smsType === null ? null : t(`customers.smsType.${smsType}`)]
      .filter((part) => part !== null && part !== undefined)
      .join(' · ') || t('customers.scope.all');
}
