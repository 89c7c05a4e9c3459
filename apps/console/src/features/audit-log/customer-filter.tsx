import { useCall } from '../../lib/api/use-call.ts';
import { type Lookup, LookupFilter, type LookupFilterProps, lookupQuery } from '../../ui/filters/lookup-filter.tsx';

const customers: Lookup = {
  label: 'audit.customer',
  search: 'audit.customer.search',
  useOptions(search) {
    const { data } = useCall('GET /customers', lookupQuery(search), { keepPrevious: true });
    return data?.items.map(({ customerId, customerName }) => ({ value: customerId, label: customerName }));
  },
  useName(customerId, enabled) {
    return useCall('GET /customers/:customerId', { params: { customerId } }, { enabled, staleTime: 60_000 }).data
      ?.customerName;
  },
};

/** For staff: whose log. */
export const CustomerFilter = (props: LookupFilterProps) => <LookupFilter of={customers} {...props} />;
