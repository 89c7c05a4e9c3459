import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { LookupFilter } from '../../ui/filters/lookup-filter.tsx';

interface LookupProps {
  /** As it stands in the address. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

const most = '20';
/** Whose it is, for staff, who see those of all customers. */
const labelOf = (name: string, operator: string | undefined): string =>
  operator === undefined ? name : `${name} · ${operator}`;
const queryOf = (search: string) => ({ query: { limit: most, ...(search !== '' && { search }) } });

function useApplications(search: string) {
  const { data } = useCall('GET /applications', queryOf(search), { keepPrevious: true });
  return data?.items.map(({ appId, appName }) => ({ value: appId, label: labelOf(appName, appId) }));
}

/** Whose messages: an application by its name. */
export function ApplicationFilter({ value, onChange }: LookupProps) {
  const t = useText();
  const chosen = useCall(
    'GET /applications/:appId',
    { params: { appId: value ?? '' } },
    { enabled: value !== undefined, staleTime: 60_000 },
  );
  return (
    <LookupFilter
      label={t('records.application')}
      searchLabel={t('applications.search')}
      value={value}
      shown={chosen.data?.appName}
      useOptions={useApplications}
      onChange={onChange}
    />
  );
}

function useTasks(search: string) {
  const { data } = useCall('GET /tasks', queryOf(search), { keepPrevious: true });
  return data?.items.map(({ taskId, taskName, operator }) => ({ value: taskId, label: labelOf(taskName, operator) }));
}

/** Messages of one task by its name. */
export function TaskFilter({ value, onChange }: LookupProps) {
  const t = useText();
  const chosen = useCall(
    'GET /tasks/:taskId',
    { params: { taskId: value ?? '' } },
    { enabled: value !== undefined, staleTime: 60_000 },
  );
  return (
    <LookupFilter
      label={t('records.taskName')}
      searchLabel={t('tasks.search')}
      value={value}
      shown={chosen.data?.taskName}
      useOptions={useTasks}
      onChange={onChange}
    />
  );
}

/** Names are registered for each application apart, and a message bears the name alone. */
function useSenders(search: string) {
  const { data } = useCall('GET /senders', queryOf(search), { keepPrevious: true });
  return data && [...new Set(data.items.map(({ senderId }) => senderId))].map((name) => ({ value: name, label: name }));
}

export function SenderFilter({ value, onChange }: LookupProps) {
  const t = useText();
  return (
    <LookupFilter
      label={t('records.sender')}
      searchLabel={t('senders.search')}
      value={value}
      shown={value}
      useOptions={useSenders}
      onChange={onChange}
    />
  );
}
