import type { Dossier } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { TextArea, TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Choices } from './dossier-choices.tsx';

/** Staff enter why papers come back: the carrier's answer, or what they found themselves. */
export function ReturnDossier({ dossier, onClose }: { dossier: Dossier; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const { customerId, dossierId, papers } = dossier;
  const required = (label: string) => t('ui.required.message', { label });
  const form = useForm<{ answer: string; answeredBy: string; answerBy: string; returnedPapers: string[] }>({
    initial: { answer: '', answeredBy: '', answerBy: '', returnedPapers: [] },
    validate: ({ answer, answeredBy }) => ({
      ...(answer.trim() === '' && { answer: required(t('dossiers.answer')) }),
      ...(answeredBy.trim() === '' && { answeredBy: required(t('dossiers.return.by')) }),
    }),
    submit: async ({ answerBy, ...rest }) => {
      await call('POST /customers/:customerId/dossiers/:dossierId/return', {
        params: { customerId, dossierId },
        body: { ...rest, answerBy: answerBy === '' ? null : answerBy },
      });
      toast(t('senders.carriers.did'));
      await refresh('/senders', '/dossiers', '/dossier-queue', '/overview');
      onClose();
    },
  });
  return (
    <FormDialog title={t('dossiers.return')} form={form} saveLabel={t('dossiers.return')} onClose={onClose}>
      <Field label={t('dossiers.answer')} required {...form.field('answer')}>
        <TextArea {...form.bind('answer')} rows={3} maxLength={1_000} />
      </Field>
      <Field label={t('dossiers.return.by')} required {...form.field('answeredBy')}>
        <TextInput {...form.bind('answeredBy')} maxLength={100} autoComplete="off" />
      </Field>
      <Field label={t('dossiers.return.day')} optional {...form.field('answerBy')}>
        <TextInput {...form.bind('answerBy')} type="date" dir="ltr" />
      </Field>
      <Field group label={t('dossiers.return.papers')} optional {...form.field('returnedPapers')}>
        <Choices
          items={papers.map(({ paperId, name }) => ({ value: paperId, label: name }))}
          chosen={form.values.returnedPapers}
          onChange={(returnedPapers) => form.set({ returnedPapers })}
        />
      </Field>
    </FormDialog>
  );
}
