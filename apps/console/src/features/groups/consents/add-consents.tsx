import { membersAtOnce } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { useRefresh } from '../../../lib/api/use-call.ts';
import { usePhoneFile } from '../../../lib/files/use-phone-file.ts';
import { useText } from '../../../lib/i18n/use-text.tsx';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Field } from '../../../ui/form/field.tsx';
import { FormDrawer } from '../../../ui/form/form-drawer.tsx';
import { TextArea } from '../../../ui/form/inputs.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { readPaste } from '../group-fields.ts';
import { checkFile, fileCodeFields, isFileAwaited, NumbersFileFields } from '../numbers-file.tsx';
import { checkEvidence, EvidenceFields, type EvidenceValues, noEvidence, toEvidence } from './evidence-fields.tsx';

export function AddConsents({ onClose }: { onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const form = useForm<EvidenceValues & { mobileNumbers: string }>({
    initial: { ...noEvidence, mobileNumbers: '' },
    validate: (values) => {
      const count = readPaste(values.mobileNumbers).length;
      const problems = checkEvidence(t, values);
      if (count === 0) return { ...problems, mobileNumbers: t('ui.required.message', { label: t('optOuts.numbers') }) };
      const tooMany = t('groups.paste.tooMany', { limit: membersAtOnce });
      return count > membersAtOnce ? { ...problems, mobileNumbers: tooMany } : problems;
    },
    submit: async ({ mobileNumbers, ...evidence }) => {
      const numbers = readPaste(mobileNumbers).map((each) => each.mobileNumber);
      const body = { mobileNumbers: numbers, ...(await toEvidence(evidence)) };
      const taken = await call('POST /consents', { body });
      toast(t('optOuts.added', { added: taken.addedCount, kept: taken.keptCount }));
      await refresh('/consents');
      if (taken.rejected.length === 0) return onClose();
      // Invalid numbers stay in the field, to be corrected.
      form.set({ mobileNumbers: taken.rejected.map(({ index }) => numbers[index] ?? '').join('\n') });
    },
  });
  return (
    <FormDrawer width="narrow" title={t('consents.add')} form={form} saveLabel={t('ui.save')} onClose={onClose}>
      <Field label={t('optOuts.numbers')} required hint={t('optOuts.numbers.hint')} {...form.field('mobileNumbers')}>
        <TextArea {...form.bind('mobileNumbers')} rows={4} dir="ltr" className="mono" spellCheck={false} />
      </Field>
      <EvidenceFields form={form} />
    </FormDrawer>
  );
}

export function ImportConsents({ onClose }: { onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const [uploaded, setUploaded] = useState<string | null>(null);
  // Before the form, which is judged by it.
  const phones = usePhoneFile(uploaded, (fileId) => {
    setUploaded(fileId);
    form.set({ fileId, timeColumn: null });
  });
  const form = useForm<EvidenceValues & { fileId: string | null; timeColumn: string | null }>({
    initial: { ...noEvidence, source: 'import', fileId: null, timeColumn: null },
    validate: (values) => ({ ...checkEvidence(t, values), ...checkFile(t, values.fileId, phones) }),
    submit: async ({ fileId, timeColumn, ...evidence }) => {
      if (isFileAwaited(t, phones)) return;
      const column = timeColumn === null ? {} : { timeColumn: Number(timeColumn) };
      await call('POST /consents/import', {
        body: { fileId: fileId ?? '', ...column, ...(await toEvidence(evidence)) },
      });
      toast(t('optOuts.importing'));
      await refresh('/consents');
      onClose();
    },
    codeFields: fileCodeFields,
  });
  const { stored } = phones;
  const isRead = stored?.fileStatus === 'success';
  const columns = isRead ? stored.columns.filter(({ index }) => index !== stored.reading?.phoneColumn) : [];
  return (
    <FormDrawer
      width="narrow"
      title={t('optOuts.import')}
      form={form}
      saveLabel={isRead ? t('optOuts.import.do', { count: stored.validCount }) : t('optOuts.import')}
      onClose={onClose}
    >
      <NumbersFileFields phones={phones} field={form.field('fileId')} />
      <EvidenceFields form={form} />
      {columns.length > 0 && (
        <Field label={t('consents.timeColumn')} optional {...form.field('timeColumn')}>
          <Select
            {...form.bind('timeColumn')}
            clearable
            options={columns.map(({ index, name, first }) => ({ value: String(index), label: name, aside: first }))}
          />
        </Field>
      )}
    </FormDrawer>
  );
}
