import { type ConsentSource, consentSources, evidenceLimitBytes, wordingLimit } from '@pahatid/contract';
import { isAttachment, toAttachment } from '../../../lib/files/attachments.ts';
import { type Text, useText } from '../../../lib/i18n/use-text.tsx';
import { AttachmentInput } from '../../../ui/form/attachment-input.tsx';
import { DateTimeInput } from '../../../ui/form/date-time-input.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { TextArea } from '../../../ui/form/inputs.tsx';
import { Select } from '../../../ui/form/select.tsx';
import type { useForm } from '../../../ui/form/use-form.ts';

export interface EvidenceValues {
  source: ConsentSource | null;
  givenTime: string | null;
  wording: string;
  file: File | null;
}

export const noEvidence: EvidenceValues = { source: null, givenTime: null, wording: '', file: null };

export function checkEvidence(t: Text, values: EvidenceValues): Partial<Record<keyof EvidenceValues, string>> {
  const { source, givenTime, wording, file } = values;
  const required = (label: string) => t('ui.required.message', { label });
  return {
    ...(source === null && { source: required(t('optOuts.source')) }),
    ...(givenTime === null && { givenTime: required(t('consents.givenTime')) }),
    ...(givenTime !== null && Date.parse(givenTime) > Date.now() && { givenTime: t('consents.givenTime.future') }),
    ...(wording.trim() === '' && { wording: required(t('consents.wording')) }),
    ...(file !== null && !isAttachment(file, evidenceLimitBytes) && { file: t('billing.topUp.receipt.hint') }),
  };
}

/** Of values that were checked, as a call takes them. */
export const toEvidence = async ({ source, givenTime, wording, file }: EvidenceValues) => ({
  source: source ?? ('other' as const),
  givenTime: givenTime ?? '',
  wording: wording.trim(),
  ...(file !== null && { file: await toAttachment(file) }),
});

type EvidenceForm = Pick<ReturnType<typeof useForm<EvidenceValues>>, 'bind' | 'field' | 'set' | 'values'>;

/** How and when the consent was given, to which text, and what shows it. */
export function EvidenceFields({ form }: { form: EvidenceForm }) {
  const t = useText();
  const { bind, field, set, values } = form;
  return (
    <>
      <Field label={t('optOuts.source')} required {...field('source')}>
        <Select
          {...bind('source')}
          options={consentSources.map((value) => ({ value, label: t(`consents.source.${value}`) }))}
        />
      </Field>
      <Field label={t('consents.givenTime')} required {...field('givenTime')}>
        <DateTimeInput value={values.givenTime} onChange={(givenTime) => set({ givenTime })} />
      </Field>
      <Field label={t('consents.wording')} required {...field('wording')}>
        <TextArea {...bind('wording')} rows={3} maxLength={wordingLimit} />
      </Field>
      <Field label={t('consents.file')} optional hint={t('billing.topUp.receipt.hint')} {...field('file')}>
        <AttachmentInput file={values.file} onChoose={(file) => set({ file })} />
      </Field>
    </>
  );
}
