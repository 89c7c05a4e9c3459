import type { CompanyDetails, Dossier } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { saveBlob } from '../../lib/api/export-csv.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { attachmentBlob } from '../../lib/files/attachments.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { TextArea, TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Dialog } from '../../ui/layers/dialog.tsx';

interface MakeLetterProps {
  dossier: Dossier;
  onClose: () => void;
}

/** Asks for what the letter says about the company, kept for the next one, and hands the PDF to the browser. */
export function MakeLetter(props: MakeLetterProps) {
  const t = useText();
  const read = useCall('GET /company-details');
  if (read.data) return <LetterForm {...props} details={read.data.details} />;
  return (
    <Dialog title={t('dossiers.letter')} onClose={props.onClose}>
      {read.error ? (
        <FailedState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <SkeletonLines lines={6} />
      )}
    </Dialog>
  );
}

const nothing: CompanyDetails = {
  legalName: '',
  registrationNumber: '',
  address: '',
  signatory: '',
  signatoryTitle: '',
};
const fields = ['legalName', 'registrationNumber', 'address', 'signatory', 'signatoryTitle'] as const;
const lengths = { legalName: 200, registrationNumber: 60, address: 300, signatory: 100, signatoryTitle: 100 };

function LetterForm({ dossier, details, onClose }: MakeLetterProps & { details: CompanyDetails | null }) {
  const t = useText();
  const refresh = useRefresh();
  const form = useForm<CompanyDetails>({
    initial: details ?? nothing,
    validate: (values) =>
      Object.fromEntries(
        fields
          .filter((field) => values[field].trim() === '')
          .map((field) => [field, t('ui.required.message', { label: t(`dossiers.company.${field}`) })]),
      ),
    submit: async (body) => {
      await call('PUT /company-details', { body });
      const letter = await call('GET /dossiers/:dossierId/letter', { params: { dossierId: dossier.dossierId } });
      saveBlob(attachmentBlob(letter), letter.name);
      await refresh('/company-details');
      onClose();
    },
  });
  return (
    <FormDialog title={t('dossiers.letter')} form={form} saveLabel={t('dossiers.letter.make')} onClose={onClose}>
      {fields.map((field) => (
        <Field key={field} label={t(`dossiers.company.${field}`)} required {...form.field(field)}>
          {field === 'address' ? (
            <TextArea {...form.bind(field)} rows={2} maxLength={lengths[field]} />
          ) : (
            <TextInput {...form.bind(field)} maxLength={lengths[field]} autoComplete="off" />
          )}
        </Field>
      ))}
    </FormDialog>
  );
}
