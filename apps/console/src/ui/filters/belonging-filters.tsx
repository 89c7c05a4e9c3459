import { useCall } from '../../lib/api/use-call.ts';
import { type Lookup, LookupFilter, type LookupFilterProps, lookupQuery } from './lookup-filter.tsx';

/** Adds the owner to a name, for staff, who see those of all customers. */
export const labelOf = (name: string, operator: string | undefined): string =>
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

/** What belongs to an application, found by its name. */
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

/** What belongs to a task, found by its name. */
export const TaskFilter = (props: LookupFilterProps) => <LookupFilter of={tasks} {...props} />;
