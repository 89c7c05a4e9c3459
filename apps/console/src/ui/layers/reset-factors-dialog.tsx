import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { toast } from '../feedback/toast-store.ts';
import { Field, Form, FormProblem } from '../form/field.tsx';
import { PasswordInput, TextArea } from '../form/inputs.tsx';
import { useForm } from '../form/use-form.ts';
import { useStateLooks } from '../status/looks.ts';
import { StatusTag } from '../status/status-tag.tsx';
import { Dialog } from './dialog.tsx';

/** Whether a person signs in with two factors. */
export function TwoFactorState({ isOn }: { isOn: boolean }) {
  const t = useText();
  return <StatusTag {...useStateLooks[isOn ? 1 : 0]!}>{t(isOn ? 'factorReset.on' : 'factorReset.off')}</StatusTag>;
}

interface ResetFactorsDialogProps {
  /** Name of the user that lost them. */
  name: string;
  onReset: (body: { reason: string; currentPassword: string }) => Promise<unknown>;
  onClose: () => void;
}

const longestReason = 200;

/** Removes another user's lost second factors, with a reason and the user's own password. */
export function ResetFactorsDialog({ name, onReset, onClose }: ResetFactorsDialogProps) {
  const t = useText();
  const reasonLabel = t('factorReset.reason');
  const passwordLabel = t('factorReset.password');
  const form = useForm({
    initial: { reason: '', currentPassword: '' },
    validate: ({ reason, currentPassword }) => ({
      ...(reason.trim() === '' && { reason: t('ui.required.message', { label: reasonLabel }) }),
      ...(currentPassword === '' && { currentPassword: t('ui.required.message', { label: passwordLabel }) }),
    }),
    codeFields: { REAUTHENTICATE: 'currentPassword' },
    submit: async ({ reason, currentPassword }) => {
      await onReset({ reason: reason.trim(), currentPassword });
      toast(t('factorReset.done'));
      onClose();
    },
  });
  return (
    <Dialog
      role="alertdialog"
      closeOnMask={false}
      title={t('factorReset.title', { name })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="danger" filled loading={form.busy} onClick={() => void form.send()}>
            {t('factorReset.confirm')}
          </Button>
        </>
      }
    >
      <Form {...form.formProps}>
        <p>{t('factorReset.text')}</p>
        <p className="ink-2">{t('factorReset.sure')}</p>
        <Field label={reasonLabel} required hint={t('factorReset.reason.hint')} {...form.field('reason')}>
          <TextArea {...form.bind('reason')} rows={2} maxLength={longestReason} data-autofocus />
        </Field>
        <Field label={passwordLabel} required {...form.field('currentPassword')}>
          <PasswordInput {...form.bind('currentPassword')} autoComplete="current-password" />
        </Field>
        <FormProblem>{form.problem}</FormProblem>
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </Form>
    </Dialog>
  );
}
