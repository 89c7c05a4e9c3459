import { useText } from '../../lib/i18n/use-text.tsx';
import { Field } from '../form/field.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { Checkbox, PasswordInput } from '../form/inputs.tsx';
import { useForm } from '../form/use-form.ts';

interface RotateSecretDialogProps {
  title: string;
  text: string;
  saveLabel: string;
  onRotate: (body: { currentPassword: string; endPrevious: boolean }) => Promise<void>;
  onClose: () => void;
}

/** Creates a new secret against the user's own password; the previous one works for 24 hours, or ends immediately. */
export function RotateSecretDialog({ title, text, saveLabel, onRotate, onClose }: RotateSecretDialogProps) {
  const t = useText();
  const label = t('applications.secret.password');
  const form = useForm({
    initial: { currentPassword: '', endPrevious: false },
    validate: ({ currentPassword }) =>
      currentPassword === '' ? { currentPassword: t('ui.required.message', { label }) } : {},
    submit: onRotate,
    codeFields: { REAUTHENTICATE: 'currentPassword' },
  });
  return (
    <FormDialog title={title} form={form} saveLabel={saveLabel} onClose={onClose}>
      <p>{text}</p>
      <Field label={label} required {...form.field('currentPassword')}>
        <PasswordInput autoComplete="current-password" data-autofocus {...form.bind('currentPassword')} />
      </Field>
      <Checkbox checked={form.values.endPrevious} onChange={(endPrevious) => form.set({ endPrevious })}>
        {t('applications.secret.endPrevious')}
        <span className="cell-note">{t('applications.secret.endPrevious.note')}</span>
      </Checkbox>
    </FormDialog>
  );
}
