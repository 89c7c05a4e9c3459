import { type Combination, combinations, type Group, groupsAtOnce } from '@pahatid/contract';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { FormDrawer } from '../../ui/form/form-drawer.tsx';
import { OptionCards, TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { groupFields } from './group-fields.ts';
import { GroupSelect } from './group-select.tsx';

interface Values {
  groupName: string;
  combination: Combination;
  /** Places, some still empty. */
  groupIds: readonly (string | null)[];
}

export function CombineGroups({ onDone, onClose }: { onDone: (groupId: string) => void; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const [known, setKnown] = useState<readonly Group[]>([]);
  const form = useForm<Values>({
    initial: { groupName: '', combination: 'merge', groupIds: [null, null] },
    validate: ({ groupName, groupIds }) => ({
      ...(groupName.trim() === '' && { groupName: t('ui.required.message', { label: t('groups.name') }) }),
      ...(chosenOf(groupIds).length < 2 && { groupIds: t('groups.combine.two') }),
    }),
    submit: async ({ groupName, combination, groupIds }) => {
      const body = { groupName, combination, groupIds: chosenOf(groupIds) };
      const made = await call('POST /groups/combine', { body });
      toast(t('groups.importing'));
      await refresh('/groups');
      onDone(made.groupId);
    },
    codeFields: { ...groupFields, GROUP_NOT_FOUND: 'groupIds', GROUP_BUSY: 'groupIds' },
  });
  const { groupIds, combination } = form.values;
  const setAt = (place: number, groupId: string | null) =>
    form.set({ groupIds: groupIds.map((each, index) => (index === place ? groupId : each)) });
  const error = form.errorOf('groupIds');
  return (
    <FormDrawer
      width="narrow"
      title={t('groups.combine')}
      form={form}
      saveLabel={t('groups.combine.make')}
      onClose={onClose}
    >
      <Field group label={t('groups.combination')}>
        <OptionCards
          {...form.bind('combination')}
          options={combinations.map((value) => ({
            value,
            title: t(`groups.combination.${value}`),
            note: t(`groups.combination.${value}.note`),
          }))}
        />
      </Field>
      {groupIds.map((groupId, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places, of which the same group may stand in any.
        <div className="row groups-place" key={place}>
          <Field
            className="grow"
            label={t(placeLabel(place, combination))}
            required={place < 2}
            error={place === 1 ? error : undefined}
          >
            <GroupSelect
              chosen={known.find((each) => each.groupId === groupId)}
              except={groupIds}
              onChoose={(next) => {
                if (next !== null) setKnown([next, ...known]);
                setAt(place, next?.groupId ?? null);
              }}
            />
          </Field>
          {place > 1 && (
            <Button
              variant="quiet"
              icon={X}
              aria-label={t('groups.combine.without')}
              onClick={() => form.set({ groupIds: groupIds.filter((_, index) => index !== place) })}
            />
          )}
        </div>
      ))}
      {groupIds.length < groupsAtOnce && (
        <Button icon={Plus} onClick={() => form.set({ groupIds: [...groupIds, null] })}>
          {t('groups.combine.another')}
        </Button>
      )}
      <Field label={t('groups.name')} required hint={t('groups.name.hint')} {...form.field('groupName')}>
        <TextInput {...form.bind('groupName')} maxLength={30} autoComplete="off" />
      </Field>
    </FormDrawer>
  );
}

const chosenOf = (groupIds: Values['groupIds']): string[] => groupIds.filter((each) => each !== null);

const placeLabel = (place: number, combination: Combination) =>
  place === 0 ? 'groups.combine.first' : combination === 'subtract' ? 'groups.combine.less' : 'groups.combine.with';
