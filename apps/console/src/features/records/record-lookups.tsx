import { useCall } from '../../lib/api/use-call.ts';
import { findRegions, regionName } from '../../lib/format/regions.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { labelOf } from '../../ui/filters/belonging-filters.tsx';
import { type Lookup, LookupFilter, type LookupFilterProps, lookupQuery } from '../../ui/filters/lookup-filter.tsx';

const templates: Lookup = {
  label: 'tasks.template',
  search: 'templates.search',
  useOptions(search) {
    const { data } = useCall('GET /templates', lookupQuery(search), { keepPrevious: true });
    return data?.items.map(({ templateId, templateName, operator }) => ({
      value: templateId,
      label: labelOf(templateName, operator),
    }));
  },
  useName(templateId, enabled) {
    return useCall('GET /templates/:templateId', { params: { templateId } }, { enabled, staleTime: 60_000 }).data
      ?.templateName;
  },
};

/** Messages of the tasks that use a template. */
export const TemplateFilter = (props: LookupFilterProps) => <LookupFilter of={templates} {...props} />;

/** Names are registered for each application apart, and a message bears the name alone. */
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

/** To where: a country or region by its name in the reader's language, or its two letters. */
export const CountryFilter = (props: LookupFilterProps) => <LookupFilter of={countries} {...props} />;
