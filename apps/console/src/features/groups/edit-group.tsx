import type { GroupDetail } from '@pahatid/contract';
import { lazy, Suspense, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { loadChunk } from '../../ui/feedback/load-error.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { OptionCards, TextArea, TextInput } from '../../ui/form/inputs.tsx';
import { SharedFormDrawer } from '../../ui/form/shared-form-drawer.tsx';
import { useSharedForm } from '../../ui/form/use-shared-form.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { groupFields, namesIn } from './group-fields.ts';

/** Brings the conditions, which few groups have. */
export const EditDynamicGroup = lazy(() =>
  loadChunk(async () => ({ default: (await import('./edit-dynamic-group.tsx')).EditDynamicGroup })),
);

interface EditGroupProps {
  /** Null: a new one. */
  groupId: string | null;
  onDone: (groupId: string, add?: 'file' | 'paste') => void;
  onClose: () => void;
}

export function EditGroup({ groupId, onDone, onClose }: EditGroupProps) {
  const t = useText();
  const { data, error, refetch } = useCall(
    'GET /groups/:groupId',
    { params: { groupId: groupId ?? '' } },
    { enabled: groupId !== null },
  );
  if (groupId === null) return <GroupForm group={null} onDone={onDone} onClose={onClose} />;
  if (data && data.selection !== null)
    return (
      <Suspense fallback={null}>
        <EditDynamicGroup group={data} onDone={onDone} onClose={onClose} />
      </Suspense>
    );
  if (data) return <GroupForm group={data} onDone={onDone} onClose={onClose} />;
  return (
    <Drawer width="narrow" title={t('groups.edit.title')} onClose={onClose}>
      {error ? <FailedState error={error} onRetry={() => void refetch()} /> : <Skeleton />}
    </Drawer>
  );
}

/** How the first members come. */
const ways = ['file', 'paste', 'later'] as const;

interface Values {
  groupName: string;
  description: string;
  /** As they are typed. */
  variableNames: string;
  way: (typeof ways)[number];
}

const valuesOf = (group: GroupDetail | null): Values => ({
  groupName: group?.groupName ?? '',
  description: group?.description ?? '',
  variableNames: group?.variableNames.join(', ') ?? '',
  way: 'file',
});

function GroupForm({ group, onDone, onClose }: { group: GroupDetail | null } & Omit<EditGroupProps, 'groupId'>) {
  const t = useText();
  const refresh = useRefresh();
  const [initial] = useState(() => valuesOf(group));
  const form = useSharedForm<Values>({
    keep: `group:${group?.groupId ?? 'new'}`,
    initial,
    version: group?.version ?? null,
    read: async () => {
      const stored = await call('GET /groups/:groupId', { params: { groupId: group?.groupId ?? '' } });
      return { values: valuesOf(stored), version: stored.version };
    },
    labels: {
      groupName: t('groups.name'),
      description: t('groups.description'),
      variableNames: t('groups.variables'),
    },
    validate: ({ groupName, variableNames }) => ({
      ...(groupName.trim() === '' && { groupName: t('ui.required.message', { label: t('groups.name') }) }),
      ...(group !== null &&
        namesIn(variableNames).length < group.variableNames.length && {
          variableNames: t('groups.variables.fewer', { count: group.variableNames.length }),
        }),
    }),
    submit: async ({ groupName, description, variableNames, way }, version) => {
      const body = { groupName, description, variableNames: namesIn(variableNames) };
      if (group !== null) {
        await call('PATCH /groups/:groupId', {
          params: { groupId: group.groupId },
          body: { ...body, ...(version !== null && { version }) },
        });
        toast(t('groups.saved'));
        await refresh('/groups');
        onDone(group.groupId);
        return;
      }
      const made = await call('POST /groups', { body: { ...body, source: way === 'later' ? 'api' : way } });
      toast(t('groups.added'));
      await refresh('/groups');
      onDone(made.groupId, way === 'later' ? undefined : way);
    },
    codeFields: groupFields,
  });
  return (
    <SharedFormDrawer
      width="narrow"
      title={t(group === null ? 'groups.add' : 'groups.edit.title')}
      saveLabel={t(group === null ? 'groups.add.next' : 'ui.save')}
      form={form}
      onClose={onClose}
    >
      <Field label={t('groups.name')} required hint={t('groups.name.hint')} {...form.field('groupName')}>
        <TextInput {...form.bind('groupName')} maxLength={30} autoComplete="off" />
      </Field>
      <Field label={t('groups.description')} optional {...form.field('description')}>
        <TextArea {...form.bind('description')} rows={2} maxLength={200} />
      </Field>
      <Field label={t('groups.variables')} optional hint={t('groups.variables.hint')} {...form.field('variableNames')}>
        <TextInput {...form.bind('variableNames')} autoComplete="off" />
      </Field>
      {group === null && (
        <Field group label={t('groups.way')} {...form.field('way')}>
          <OptionCards
            {...form.bind('way')}
            options={ways.map((value) => ({
              value,
              title: t(`groups.way.${value}`),
              note: t(`groups.way.${value}.note`),
            }))}
          />
        </Field>
      )}
    </SharedFormDrawer>
  );
}
