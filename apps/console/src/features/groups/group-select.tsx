import type { Group } from '@pahatid/contract';
import { useState } from 'react';
import { useCall } from '../../lib/api/use-call.ts';
import { Count } from '../../ui/data/text.tsx';
import { Select } from '../../ui/form/select.tsx';

interface GroupSelectProps {
  chosen?: Group | undefined;
  /** Chosen elsewhere: each can be only once. */
  except: readonly (string | null)[];
  disabled?: boolean;
  onChoose: (group: Group | null) => void;
}

/** One of the groups that have members, so no dynamic one. Of more than a list shows, the rest is found by name. */
export function GroupSelect({ chosen, except, disabled = false, onChoose }: GroupSelectProps) {
  const [search, setSearch] = useState('');
  const query = { limit: 200, ...(search !== '' && { search }) };
  const groups = useCall('GET /groups', { query }, { keepPrevious: true });
  const found = (groups.data?.items ?? []).filter(
    ({ groupId, selection }) => selection === null && !except.includes(groupId),
  );
  const offered = chosen === undefined ? found : [chosen, ...found];
  return (
    <Select
      value={chosen?.groupId ?? null}
      disabled={disabled}
      loading={groups.isPending}
      onSearch={setSearch}
      onBlur={() => setSearch('')}
      options={offered.map((each) => ({
        value: each.groupId,
        label: each.groupName,
        aside: <Count value={each.memberCount} />,
      }))}
      onChange={(next) => {
        // The typed text has been removed from the field.
        setSearch('');
        onChoose(offered.find((each) => each.groupId === next) ?? null);
      }}
    />
  );
}
