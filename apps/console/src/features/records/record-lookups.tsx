import { useCall } from '../../lib/api/use-call.ts';
import { findRegions, regionName } from '../../lib/format/regions.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { type Lookup, LookupFilter, type LookupFilterProps, lookupQuery } from '../../ui/filters/lookup-filter.tsx';

/** Whose it is, for staff, who see those of all customers. */
const labelOf = (name: string, operator: string | undefined): string =>
  operator === undefined ? name : `${name} · ${operator}`;

const applications: Lookup = {
  label: 'records.application',
  search: 'applications.search',
  useOptions(search) {
    const { data } = useCall('GET /applications', lookupQuery(search), { keepPrevious: true });
    return data?.items.map(({ appId, appName }) => ({ value: appId, label: labelOf(appName, appId) }));
  },
  useName(appId, enabled) {
    return useCall('GET /applications/:appId', { params: { appId } }, { enabled, staleTime: 60_000 }).data?.appName;
  },
};

/** Whose messages: an application by its name. */
export const ApplicationFilter = (props: LookupFilterProps) => <LookupFilter of={applications} {...props} />;

const tasks: Lookup = {
  label: 'records.taskName',
  search: 'tasks.search',
  useOptions(search) {
    const { data } = useCall('GET /tasks', lookupQuery(search), { keepPrevious: true });
    return data?.items.map(({ taskId, taskName, operator }) => ({ value: taskId, label: labelOf(taskName, operator) }));
  },
  useName(taskId, enabled) {
    return useCall('GET /tasks/:taskId', { params: { taskId } }, { enabled, staleTime: 60_000 }).data?.taskName;
  },
};

/** Messages of one task by its name. */
export const TaskFilter = (props: LookupFilterProps) => <LookupFilter of={tasks} {...props} />;

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
