import { type GroupDetail, sourceGroupLimit } from '@pahatid/contract';
import { UsersRound, X } from 'lucide-react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { Count } from '../../ui/data/text.tsx';
import { Field } from '../../ui/form/field.tsx';
import { GroupSelect } from './group-select.tsx';

export type SourceGroup = GroupDetail['sources'][number];

interface SourceGroupsProps {
  chosen: readonly SourceGroup[];
  error: string | undefined;
  onChange: (groups: readonly SourceGroup[]) => void;
}

/** Groups that members are selected from. */
export function SourceGroups({ chosen, error, onChange }: SourceGroupsProps) {
  const t = useText();
  return (
    <div className="stack groups-sources">
      <Field label={t('groups.dynamic.sources')} required error={error}>
        <GroupSelect
          except={chosen.map(({ groupId }) => groupId)}
          disabled={chosen.length >= sourceGroupLimit}
          onChoose={(group) => group !== null && onChange([...chosen, group])}
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
