import { conditionLimit, type GroupDetail } from '@pahatid/contract';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { Field } from '../../ui/form/field.tsx';
import { TextArea, TextInput } from '../../ui/form/inputs.tsx';
import { SharedFormDrawer } from '../../ui/form/shared-form-drawer.tsx';
import { useSharedForm } from '../../ui/form/use-shared-form.tsx';
import { ConditionRow } from './condition-row.tsx';
import { groupFields } from './group-fields.ts';
import { SelectionCount } from './selection-count.tsx';
import { type DraftSelection, draftOf, newCondition, toCondition, toSelection } from './selection-draft.ts';
import { type SourceGroup, SourceGroups } from './source-groups.tsx';

interface Values extends Omit<DraftSelection, 'groupIds'> {
  groupName: string;
  description: string;
  sources: readonly SourceGroup[];
}

const valuesOf = (group: GroupDetail | null): Values => {
  const { match, conditions } = draftOf(group?.selection ?? null);
  const { groupName = '', description = '', sources = [] } = group ?? {};
  return { groupName, description, match, conditions, sources };
};

const selectionOf = ({ sources, match, conditions }: Values) =>
  toSelection({ groupIds: sources.map(({ groupId }) => groupId), match, conditions });

interface EditDynamicGroupProps {
  /** Null: a new one. */
  group: GroupDetail | null;
  onDone: (groupId: string) => void;
  onClose: () => void;
}

export function EditDynamicGroup({ group, onDone, onClose }: EditDynamicGroupProps) {
  const t = useText();
  const form = useDynamicGroupForm(group, onDone);
  const { conditions, match, sources } = form.values;
  const names = [...new Set(sources.flatMap(({ variableNames }) => variableNames))];
  const isChecked = form.errorOf('conditions') !== undefined;
  return (
    <SharedFormDrawer
      title={t(group === null ? 'groups.dynamic.add' : 'groups.dynamic.edit')}
      saveLabel={t(group === null ? 'groups.add' : 'ui.save')}
      form={form}
      onClose={onClose}
    >
      <p className="ink-2">{t('groups.dynamic.fact')}</p>
      <Field label={t('groups.name')} required hint={t('groups.name.hint')} {...form.field('groupName')}>
        <TextInput {...form.bind('groupName')} maxLength={30} autoComplete="off" />
      </Field>
      <SourceGroups chosen={sources} error={form.errorOf('sources')} onChange={(next) => form.set({ sources: next })} />
      <div className="row groups-match">
        <span className="strong">{t('groups.dynamic.match')}</span>
        <Segmented
          label={t('groups.dynamic.match')}
          options={(['all', 'any'] as const).map((value) => ({ value, label: t(`groups.dynamic.match.${value}`) }))}
          value={match}
          onChange={(next) => form.set({ match: next })}
        />
      </div>
      <div className="stack groups-conditions">
        {conditions.map((condition, index) => (
          <ConditionRow
            key={condition.id}
            condition={condition}
            place={index + 1}
            names={names}
            isWrong={isChecked && toCondition(condition) === null}
            onChange={(next) => form.set({ conditions: conditions.map((each) => (each === condition ? next : each)) })}
            onRemove={
              conditions.length > 1
                ? () => form.set({ conditions: conditions.filter((each) => each !== condition) })
                : undefined
            }
          />
        ))}
        {conditions.length < conditionLimit && (
          <Button
            icon={Plus}
            onClick={() => {
              const id = Math.max(...conditions.map((each) => each.id)) + 1;
              form.set({ conditions: [...conditions, newCondition(id)] });
            }}
          >
            {t('groups.dynamic.another')}
          </Button>
        )}
      </div>
      <SelectionCount selection={selectionOf(form.values)} />
      <Field label={t('groups.description')} optional {...form.field('description')}>
        <TextArea {...form.bind('description')} rows={2} maxLength={200} />
      </Field>
    </SharedFormDrawer>
  );
}

function useDynamicGroupForm(group: GroupDetail | null, onDone: (groupId: string) => void) {
  const t = useText();
  const refresh = useRefresh();
  const [initial] = useState(() => valuesOf(group));
  return useSharedForm<Values>({
    keep: `group:${group?.groupId ?? 'dynamic'}`,
    initial,
    version: group?.version ?? null,
    read: async () => {
      const stored = await call('GET /groups/:groupId', { params: { groupId: group?.groupId ?? '' } });
      return { values: valuesOf(stored), version: stored.version };
    },
    labels: { groupName: t('groups.name'), description: t('groups.description') },
    validate: (values) => ({
      ...(values.groupName.trim() === '' && { groupName: t('ui.required.message', { label: t('groups.name') }) }),
      ...(values.sources.length === 0 && { sources: t('groups.dynamic.sources.required') }),
      ...(values.conditions.some((each) => toCondition(each) === null) && {
        conditions: t('groups.dynamic.incomplete'),
      }),
    }),
    submit: async (values, version) => {
      const { groupName, description } = values;
      // Complete, as the validation found.
      const body = { groupName, description, selection: selectionOf(values)! };
      const saved =
        group === null
          ? await call('POST /groups/dynamic', { body })
          : await call('PATCH /groups/:groupId', {
              params: { groupId: group.groupId },
              body: { ...body, ...(version !== null && { version }) },
            });
      toast(t(group === null ? 'groups.added' : 'groups.saved'));
      await refresh('/groups');
      onDone(saved.groupId);
    },
    codeFields: { ...groupFields, GROUP_NOT_FOUND: 'sources', GROUP_IS_DYNAMIC: 'sources' },
  });
}
