import { type GroupDetail, membersAtOnce } from '@pahatid/contract';
import { parseMsisdn } from '@pahatid/domain';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { usePhoneFile } from '../../lib/files/use-phone-file.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { FormDrawer } from '../../ui/form/form-drawer.tsx';
import { OptionCards, TextArea } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { Note } from '../../ui/page/page.tsx';
import { readPaste } from './group-fields.ts';
import { checkFile, fileCodeFields, isFileAwaited, NumbersFileFields } from './numbers-file.tsx';
import { suggestValues, type ValueChoice, ValueColumns } from './value-columns.tsx';

interface AddMembersProps {
  groupId: string;
  how: 'file' | 'paste';
  onClose: () => void;
}

export default function AddMembers({ groupId, how, onClose }: AddMembersProps) {
  const t = useText();
  const { data, error, refetch } = useCall('GET /groups/:groupId', { params: { groupId } });
  if (!data)
    return (
      <Drawer title={t('groups.addMembers')} onClose={onClose}>
        {error ? <FailedState error={error} onRetry={() => void refetch()} /> : <Skeleton />}
      </Drawer>
    );
  return how === 'file' ? <FromFile group={data} onClose={onClose} /> : <FromPaste group={data} onClose={onClose} />;
}

const rules = ['keep', 'overwrite'] as const;
type Rule = (typeof rules)[number];

function DuplicateRule({ value, onChange }: { value: Rule; onChange: (rule: Rule) => void }) {
  const t = useText();
  return (
    <Field group label={t('groups.duplicates')}>
      <OptionCards
        value={value}
        onChange={onChange}
        options={rules.map((each) => ({
          value: each,
          title: t(`groups.duplicates.${each}`),
          note: t(`groups.duplicates.${each}.note`),
        }))}
      />
    </Field>
  );
}

function FromFile({ group, onClose }: { group: GroupDetail; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const [chosen, setChosen] = useState<Record<number, ValueChoice>>({});
  const [uploaded, setUploaded] = useState<string | null>(null);
  // Before the form, which is judged by it.
  const phones = usePhoneFile(uploaded, (fileId) => {
    setUploaded(fileId);
    setChosen({});
    form.set({ fileId });
  });
  const form = useForm<{ fileId: string | null; onDuplicate: Rule }>({
    initial: { fileId: null, onDuplicate: 'keep' },
    validate: ({ fileId }) => checkFile(t, fileId, phones),
    submit: async ({ fileId, onDuplicate }) => {
      if (isFileAwaited(t, phones)) return;
      const variables = values.flatMap(({ column, name, used }) =>
        used && name.trim() !== '' ? [{ column, name: name.trim() }] : [],
      );
      const params = { groupId: group.groupId };
      await call('POST /groups/:groupId/import', { params, body: { fileId: fileId ?? '', variables, onDuplicate } });
      toast(t('groups.importing'));
      await refresh('/groups');
      onClose();
    },
    codeFields: fileCodeFields,
  });
  const file = phones.stored?.fileStatus === 'success' ? phones.stored : undefined;
  const values = suggestValues(file, group.variableNames).map((each) => chosen[each.column] ?? each);
  return (
    <FormDrawer
      title={t('groups.addMembers.title', { name: group.groupName })}
      form={form}
      saveLabel={file?.validCount ? t('groups.import', { count: file.validCount }) : t('groups.addMembers')}
      onClose={onClose}
    >
      <NumbersFileFields phones={phones} field={form.field('fileId')} />
      {values.length > 0 && (
        <ValueColumns
          values={values}
          file={file}
          onChange={(next) => setChosen((before) => ({ ...before, [next.column]: next }))}
        />
      )}
      <DuplicateRule value={form.values.onDuplicate} onChange={(onDuplicate) => form.set({ onDuplicate })} />
    </FormDrawer>
  );
}

function FromPaste({ group, onClose }: { group: GroupDetail; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const names = group.variableNames;
  const form = useForm<{ numbers: string; onDuplicate: Rule }>({
    initial: { numbers: '', onDuplicate: 'keep' },
    validate: ({ numbers }) => {
      const count = readPaste(numbers).length;
      if (count === 0) return { numbers: t('ui.required.message', { label: t('groups.paste') }) };
      return count > pasteLimit ? { numbers: t('groups.paste.tooMany', { limit: pasteLimit }) } : {};
    },
    submit: async ({ numbers, onDuplicate }) => {
      const pasted = readPaste(numbers);
      const counts = { added: 0, updated: 0, kept: 0 };
      const refused: string[] = [];
      for (let from = 0; from < pasted.length; from += membersAtOnce) {
        const some = pasted.slice(from, from + membersAtOnce);
        const members = some.map(({ mobileNumber, values }) => ({
          mobileNumber,
          variables: Object.fromEntries(
            names.slice(0, values.length).map((name, index) => [name, values[index] ?? '']),
          ),
        }));
        const params = { groupId: group.groupId };
        const taken = await call('POST /groups/:groupId/members', { params, body: { members, onDuplicate } });
        counts.added += taken.addedCount;
        counts.updated += taken.updatedCount;
        counts.kept += taken.keptCount;
        refused.push(...taken.rejected.map(({ index }) => some[index]?.mobileNumber ?? ''));
      }
      await refresh('/groups');
      toast(t('groups.pasted', counts));
      if (refused.length === 0) return onClose();
      // Rejected numbers stay in the field, to be corrected.
      form.set({
        numbers: pasted
          .filter((each) => refused.includes(each.mobileNumber))
          .map(lineOf)
          .join('\n'),
      });
    },
  });
  const pasted = readPaste(form.values.numbers);
  const bad = pasted.slice(0, pasteLimit).filter(({ mobileNumber }) => !parseMsisdn(mobileNumber).ok);
  return (
    <FormDrawer
      width="narrow"
      title={t('groups.addMembers.title', { name: group.groupName })}
      form={form}
      saveLabel={
        pasted.length > bad.length ? t('groups.import', { count: pasted.length - bad.length }) : t('groups.addMembers')
      }
      onClose={onClose}
    >
      <Field
        label={t('groups.paste')}
        required
        hint={names.length === 0 ? t('groups.paste.hint') : t('groups.paste.hintValues', { names: names.join(', ') })}
        {...form.field('numbers')}
      >
        <TextArea {...form.bind('numbers')} rows={12} dir="ltr" className="mono" spellCheck={false} />
      </Field>
      {bad.length > 0 && (
        <Note tone="warning">
          {t('groups.paste.bad', {
            count: bad.length,
            lines: bad
              .slice(0, 8)
              .map(({ line }) => line)
              .join(', '),
          })}
        </Note>
      )}
      <DuplicateRule value={form.values.onDuplicate} onChange={(onDuplicate) => form.set({ onDuplicate })} />
    </FormDrawer>
  );
}

/** More is what files are for. */
const pasteLimit = 10_000;
const lineOf = ({ mobileNumber, values }: { mobileNumber: string; values: string[] }) =>
  [mobileNumber, ...values].join('\t');
