import { groupsAtOnce } from '@pahatid/contract';
import { Link } from '@tanstack/react-router';
import { UsersRound, X } from 'lucide-react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { Count } from '../../ui/data/text.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Select } from '../../ui/form/select.tsx';
import { Note } from '../../ui/page/page.tsx';
import type { TaskGroups } from './use-task-groups.ts';

interface GroupChoiceProps {
  groups: TaskGroups;
  chosen: readonly string[];
  variableCount: number;
  error: string | undefined;
  onChoose: (groupIds: readonly string[]) => void;
  onValues: (groupVariables: readonly string[]) => void;
}

/** Saved groups as recipients, and which of their values fills which variable. */
export function GroupChoice({ groups, chosen, variableCount, error, onChoose, onValues }: GroupChoiceProps) {
  const t = useText();
  const left = groups.items.filter(({ groupId }) => !chosen.includes(groupId));
  const change = (place: number, name: string | null) =>
    onValues(groups.values.map((each, index) => (index === place ? (name ?? '') : each)));
  return (
    <div className="stack tasks-groups">
      {groups.chosen.length > 0 && (
        <ul className="tasks-group-list" aria-label={t('taskGroups.chosen')}>
          {groups.chosen.map((group) => (
            <li key={group.groupId} className="row">
              <Icon of={UsersRound} size="small" />
              <bdi className="grow clip strong">{group.groupName}</bdi>
              <span className="small ink-3">
                {t.rich('taskGroups.members', { count: <Count key="count" value={group.memberCount} /> })}
              </span>
              <Button
                variant="quiet"
                size="small"
                icon={X}
                aria-label={t('taskGroups.leaveOut', { name: group.groupName })}
                onClick={() => onChoose(chosen.filter((each) => each !== group.groupId))}
              />
            </li>
          ))}
        </ul>
      )}
      {chosen.length < groupsAtOnce && (
        <Field label={t('taskGroups.label')} optional error={error}>
          <Select
            value={null}
            placeholder={t('taskGroups.add')}
            loading={groups.loading}
            options={left.map((group) => ({
              value: group.groupId,
              label: group.groupName,
              aside: <Count value={group.memberCount} />,
            }))}
            empty={
              <span className="tasks-none">
                {t('taskGroups.none')} <Link to="/messageGroup">{t('taskGroups.make')}</Link>
              </span>
            }
            onChange={(groupId) => groupId !== null && onChoose([...chosen, groupId])}
          />
        </Field>
      )}
      {groups.chosen.length > 0 && variableCount > 0 && (
        <div className="form-grid">
          {groups.values.map((name, place) => (
            <Field
              // biome-ignore lint/suspicious/noArrayIndexKey: the place is the variable.
              key={place}
              label={t('taskGroups.value', { variable: `{${place + 1}}` })}
              error={name === '' ? t('taskGroups.value.none') : undefined}
            >
              <Select
                value={name === '' ? null : name}
                options={groups.names.map((each) => ({ value: each, label: each }))}
                onChange={(next) => change(place, next)}
              />
            </Field>
          ))}
        </div>
      )}
      {groups.chosen.length > 0 && <Note tone="info">{t('taskGroups.frozen')}</Note>}
    </div>
  );
}
