import { useCall } from '../../lib/api/use-call.ts';
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
