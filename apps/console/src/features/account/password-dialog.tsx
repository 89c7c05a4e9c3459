import type { ReactNode } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { PasswordInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Dialog } from '../../ui/layers/dialog.tsx';

interface PasswordDialogProps {
  title: string;
  /** What happens next, and what can't be undone. */
  children: ReactNode;
  confirmLabel: string;
  danger?: boolean;
  /** Does it; a failure is shown in the dialog, which stays open. */
  onConfirm: (currentPassword: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks for the password once more before something that a stolen session must not be enough for. */
export function PasswordDialog({ title, children, confirmLabel, danger, onConfirm, onClose }: PasswordDialogProps) {
  const t = useText();
  const form = useForm({
    initial: { currentPassword: '' },
    validate: ({ currentPassword }) =>
      currentPassword === '' ? { currentPassword: t('account.password.required') } : {},
    codeFields: { REAUTHENTICATE: 'currentPassword' },
    submit: ({ currentPassword }) => onConfirm(currentPassword),
  });
  return (
    <Dialog
      title={title}
      closeOnMask={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant={danger ? 'danger' : 'primary'} filled loading={form.busy} onClick={() => void form.send()}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="stack account-dialog">
        <div className="ink-2">{children}</div>
        <Form {...form.formProps}>
          <Field label={t('account.password')} {...form.field('currentPassword')}>
            <PasswordInput {...form.bind('currentPassword')} autoComplete="current-password" data-autofocus />
          </Field>
          <FormProblem>{form.problem}</FormProblem>
        </Form>
      </div>
    </Dialog>
  );
}
