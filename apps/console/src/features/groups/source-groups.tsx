import { type GroupDetail, sourceGroupLimit } from '@pahatid/contract';
import { UsersRound, X } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { Count } from '../../ui/data/text.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Select } from '../../ui/form/select.tsx';

export type SourceGroup = GroupDetail['sources'][number];

interface SourceGroupsProps {
  chosen: readonly SourceGroup[];
  error: string | undefined;
  onChange: (groups: readonly SourceGroup[]) => void;
}

/** Groups that members are selected from; of more than a list shows, the rest is found by name. */
export function SourceGroups({ chosen, error, onChange }: SourceGroupsProps) {
  const t = useText();
  const [search, setSearch] = useState('');
  const query = { limit: 200, ...(search !== '' && { search }) };
  const groups = useCall('GET /groups', { query }, { keepPrevious: true });
  const offered = (groups.data?.items ?? []).filter(
    ({ groupId, selection }) => selection === null && !chosen.some((each) => each.groupId === groupId),
  );
  return (
    <div className="stack groups-sources">
      <Field label={t('groups.dynamic.sources')} required error={error}>
        <Select
          value={null}
          disabled={chosen.length >= sourceGroupLimit}
          loading={groups.isPending}
          onSearch={setSearch}
          onBlur={() => setSearch('')}
          options={offered.map((each) => ({
            value: each.groupId,
            label: each.groupName,
            aside: <Count value={each.memberCount} />,
          }))}
          onChange={(next) => {
            setSearch('');
            const group = offered.find((each) => each.groupId === next);
            if (group !== undefined) onChange([...chosen, group]);
          }}
        />
      </Field>
      {chosen.length > 0 && (
        <ul className="groups-source-list" aria-label={t('groups.dynamic.sources')}>
          {chosen.map((group) => (
            <li key={group.groupId} className="row groups-source">
              <Icon of={UsersRound} size="small" />
              <bdi className="grow clip strong">{group.groupName}</bdi>
              <Count value={group.memberCount} />
              <Button
                variant="quiet"
                size="small"
                icon={X}
                aria-label={`${t('groups.member.out')}: ${group.groupName}`}
                onClick={() => onChange(chosen.filter((each) => each !== group))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
