import { useCall } from '../../lib/api/use-call.ts';
import { findRegions, regionName } from '../../lib/format/regions.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { lookupQuery, makeLookup } from '../../ui/filters/make-lookup.tsx';

/** Whose it is, for staff, who see those of all customers. */
const labelOf = (name: string, operator: string | undefined): string =>
  operator === undefined ? name : `${name} · ${operator}`;

/** Whose messages: an application by its name. */
export const ApplicationFilter = makeLookup({
  label: 'records.application',
  search: 'applications.search',
  useOptions(search) {
    const { data } = useCall('GET /applications', lookupQuery(search), { keepPrevious: true });
    return data?.items.map(({ appId, appName }) => ({ value: appId, label: labelOf(appName, appId) }));
  },
  useName(appId, enabled) {
    return useCall('GET /applications/:appId', { params: { appId } }, { enabled, staleTime: 60_000 }).data?.appName;
  },
});

/** Messages of one task by its name. */
export const TaskFilter = makeLookup({
  label: 'records.taskName',
  search: 'tasks.search',
  useOptions(search) {
    const { data } = useCall('GET /tasks', lookupQuery(search), { keepPrevious: true });
    return data?.items.map(({ taskId, taskName, operator }) => ({ value: taskId, label: labelOf(taskName, operator) }));
  },
  useName(taskId, enabled) {
    return useCall('GET /tasks/:taskId', { params: { taskId } }, { enabled, staleTime: 60_000 }).data?.taskName;
  },
});

/** Names are registered for each application apart, and a message bears the name alone. */
export const SenderFilter = makeLookup({
  label: 'records.sender',
  search: 'senders.search',
  useOptions(search) {
    const { data } = useCall('GET /senders', lookupQuery(search), { keepPrevious: true });
    return (
      data && [...new Set(data.items.map(({ senderId }) => senderId))].map((name) => ({ value: name, label: name }))
    );
  },
  useName: (name) => name,
});

/** Messages of the tasks that use a template, by its name. */
export const TemplateFilter = makeLookup({
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
    const { data } = useCall('GET /templates/:templateId', { params: { templateId } }, { enabled, staleTime: 60_000 });
    return data?.templateName;
  },
});

const home = 'PH';

/** To where: a country or region by its name in the reader's language. */
export const CountryFilter = makeLookup({
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
});
