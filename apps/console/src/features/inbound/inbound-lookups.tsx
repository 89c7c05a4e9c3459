import { useCall } from '../../lib/api/use-call.ts';
import { type Lookup, LookupFilter, type LookupFilterProps, lookupQuery } from '../../ui/filters/lookup-filter.tsx';

const applications: Lookup = {
  label: 'records.application',
  search: 'applications.search',
  useOptions(search) {
    const { data } = useCall('GET /applications', lookupQuery(search), { keepPrevious: true });
    return data?.items.map(({ appId, appName }) => ({ value: appId, label: `${appName} · ${appId}` }));
  },
  useName(appId, enabled) {
    return useCall('GET /applications/:appId', { params: { appId } }, { enabled, staleTime: 60_000 }).data?.appName;
  },
};

/** Replies to one application's messages. */
export const ApplicationFilter = (props: LookupFilterProps) => <LookupFilter of={applications} {...props} />;

const tasks: Lookup = {
  label: 'records.taskName',
  search: 'tasks.search',
  useOptions(search) {
    const { data } = useCall('GET /tasks', lookupQuery(search), { keepPrevious: true });
    return data?.items.map(({ taskId, taskName }) => ({ value: taskId, label: taskName }));
  },
  useName(taskId, enabled) {
    return useCall('GET /tasks/:taskId', { params: { taskId } }, { enabled, staleTime: 60_000 }).data?.taskName;
  },
};

/** Replies to one task's messages. */
export const TaskFilter = (props: LookupFilterProps) => <LookupFilter of={tasks} {...props} />;
