import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { LookupFilter } from '../../ui/filters/lookup-filter.tsx';

interface CustomerFilterProps {
  value: string | undefined;
  onChange: (customerId: string | undefined) => void;
}

function useCustomers(search: string) {
  const query = { limit: '20', ...(search !== '' && { search }) };
  const { data } = useCall('GET /customers', { query }, { keepPrevious: true });
  return data?.items.map(({ customerId, customerName }) => ({ value: customerId, label: customerName }));
}

/** For staff: whose log. */
export function CustomerFilter({ value, onChange }: CustomerFilterProps) {
  const t = useText();
  const chosen = useCall(
    'GET /customers/:customerId',
    { params: { customerId: value ?? '' } },
    { enabled: value !== undefined, staleTime: 60_000 },
  );
  return (
    <LookupFilter
      label={t('audit.customer')}
      searchLabel={t('audit.customer.search')}
      value={value}
      shown={chosen.data?.customerName}
      useOptions={useCustomers}
      onChange={onChange}
    />
  );
}
