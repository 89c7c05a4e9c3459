import { membersAtOnce } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { usePhoneFile } from '../../lib/files/use-phone-file.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { FormDrawer } from '../../ui/form/form-drawer.tsx';
import { TextArea, TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { readPaste } from './group-fields.ts';
import { checkFile, fileCodeFields, isFileAwaited, NumbersFileFields } from './numbers-file.tsx';

export function AddOptOuts({ onClose }: { onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const form = useForm({
    initial: { mobileNumbers: '', evidence: '' },
    validate: ({ mobileNumbers }) => {
      const count = readPaste(mobileNumbers).length;
      if (count === 0) return { mobileNumbers: t('ui.required.message', { label: t('optOuts.numbers') }) };
      return count > membersAtOnce ? { mobileNumbers: t('groups.paste.tooMany', { limit: membersAtOnce }) } : {};
    },
    submit: async ({ mobileNumbers, evidence }) => {
      const numbers = readPaste(mobileNumbers).map((each) => each.mobileNumber);
      const taken = await call('POST /opt-outs', { body: { mobileNumbers: numbers, evidence } });
      toast(t('optOuts.added', { added: taken.addedCount, kept: taken.keptCount }));
      await refresh('/opt-outs', '/groups');
      if (taken.rejected.length === 0) return onClose();
      // Invalid numbers stay in the field, to be corrected.
      form.set({ mobileNumbers: taken.rejected.map(({ index }) => numbers[index] ?? '').join('\n') });
    },
  });
  return (
    <FormDrawer width="narrow" title={t('optOuts.add')} form={form} saveLabel={t('optOuts.add.do')} onClose={onClose}>
      <Field label={t('optOuts.numbers')} required hint={t('optOuts.numbers.hint')} {...form.field('mobileNumbers')}>
        <TextArea {...form.bind('mobileNumbers')} rows={6} dir="ltr" className="mono" spellCheck={false} />
      </Field>
      <Field label={t('optOuts.evidence')} optional hint={t('optOuts.evidence.hint')} {...form.field('evidence')}>
        <TextInput {...form.bind('evidence')} maxLength={300} autoComplete="off" />
      </Field>
    </FormDrawer>
  );
}

export function ImportOptOuts({ onClose }: { onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const [uploaded, setUploaded] = useState<string | null>(null);
  // Before the form, which is judged by it.
  const phones = usePhoneFile(uploaded, (fileId) => {
    setUploaded(fileId);
    form.set({ fileId });
  });
  const form = useForm<{ fileId: string | null; evidence: string }>({
    initial: { fileId: null, evidence: '' },
    validate: ({ fileId }) => checkFile(t, fileId, phones),
    submit: async ({ fileId, evidence }) => {
      if (isFileAwaited(t, phones)) return;
      await call('POST /opt-outs/import', { body: { fileId: fileId ?? '', evidence } });
      toast(t('optOuts.importing'));
      await refresh('/opt-outs');
      onClose();
    },
    codeFields: fileCodeFields,
  });
  const count = phones.stored?.fileStatus === 'success' ? phones.stored.validCount : undefined;
  return (
    <FormDrawer
      width="narrow"
      title={t('optOuts.import')}
      form={form}
      saveLabel={count === undefined ? t('optOuts.import') : t('optOuts.import.do', { count })}
      onClose={onClose}
    >
      <NumbersFileFields phones={phones} field={form.field('fileId')} />
      <Field label={t('optOuts.evidence')} optional hint={t('optOuts.evidence.hint')} {...form.field('evidence')}>
        <TextInput {...form.bind('evidence')} maxLength={300} autoComplete="off" />
      </Field>
    </FormDrawer>
  );
}
