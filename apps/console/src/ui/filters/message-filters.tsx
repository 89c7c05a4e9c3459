/** What messages and their figures are narrowed to, each found by its name. */
import { useCall } from '../../lib/api/use-call.ts';
import { findRegions, regionName } from '../../lib/format/regions.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { labelOf } from './belonging-filters.tsx';
import { type Lookup, LookupFilter, type LookupFilterProps, lookupQuery } from './lookup-filter.tsx';

/** Names are registered for each application separately, and a message contains only the name. */
const senders: Lookup = {
  label: 'records.sender',
  search: 'senders.search',
  useOptions(search) {
    const { data } = useCall('GET /senders', lookupQuery(search), { keepPrevious: true });
    return (
      data && [...new Set(data.items.map(({ senderId }) => senderId))].map((name) => ({ value: name, label: name }))
    );
  },
  useName: (name) => name,
};

export const SenderFilter = (props: LookupFilterProps) => <LookupFilter of={senders} {...props} />;

const home = 'PH';

const countries: Lookup = {
  label: 'records.country',
  search: 'records.country',
  useOptions(search) {
    const { locale } = useTexts();
    return findRegions(locale, search, home).map(({ code, name }) => ({ value: code, label: `${name} · ${code}` }));
  },
  useName(code, isChosen) {
    const { locale } = useTexts();
    return isChosen ? regionName(locale, code) : undefined;
  },
};

/** Destination: a country or region by its name in the user's language, or its two letters. */
export const CountryFilter = (props: LookupFilterProps) => <LookupFilter of={countries} {...props} />;

const customers: Lookup = {
  label: 'records.customer',
  search: 'customers.search',
  useOptions(search) {
    const { data } = useCall('GET /customers', lookupQuery(search), { keepPrevious: true });
    return data?.items.map(({ customerId, customerName }) => ({ value: customerId, label: customerName }));
  },
  useName(customerId, enabled) {
    return useCall('GET /customers/:customerId', { params: { customerId } }, { enabled, staleTime: 60_000 }).data
      ?.customerName;
  },
};

/** Of one customer; for staff. */
export const CustomerFilter = (props: LookupFilterProps) => <LookupFilter of={customers} {...props} />;

const routes: Lookup = {
  label: 'records.route',
  search: 'routing.route.search',
  useOptions(search) {
    const { data } = useCall('GET /routes', lookupQuery(search), { keepPrevious: true });
    return data?.items.map(({ routeId, routeName, supplierAccount }) => ({
      value: routeId,
      label: labelOf(routeName, supplierAccount),
    }));
  },
  useName(routeId, enabled) {
    return useCall('GET /routes/:routeId', { params: { routeId } }, { enabled, staleTime: 60_000 }).data?.routeName;
  },
};

/** Over one route; for staff. */
export const RouteFilter = (props: LookupFilterProps) => <LookupFilter of={routes} {...props} />;
