import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast, toastOnNextPage } from '../../ui/feedback/toast-store.ts';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { PasswordInput } from '../../ui/form/inputs.tsx';
import { PasswordStrength } from '../../ui/form/password-strength.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { newPasswordErrors } from './new-password.ts';
import { ResetByEmail } from './reset-by-email.tsx';

interface ChangePasswordProps {
  onClose: () => void;
  /** The password was reset by e-mail instead, which ended this session too. */
  onReset: () => void;
}

/** My own password: the current one, and a new one by the rule of the e-mail flow. */
export default function ChangePassword({ onClose, onReset }: ChangePasswordProps) {
  const t = useText();
  const [resetFor, setResetFor] = useState<string | null>(null);
  if (resetFor !== null)
    return (
      <Dialog title={t('passwords.reset.title')} onClose={onClose} closeOnMask={false}>
        <ResetByEmail
          email={resetFor}
          onDone={(message) => {
            toastOnNextPage(message);
            onReset();
          }}
        />
      </Dialog>
    );
  return <ChangeForm onClose={onClose} onForgot={setResetFor} />;
}

function ChangeForm({ onClose, onForgot }: { onClose: () => void; onForgot: (email: string) => void }) {
  const t = useText();
  const [isAsking, setIsAsking] = useState(false);
  const form = useForm({
    initial: { currentPassword: '', newPassword: '', confirmPassword: '' },
    validate: (values) => ({
      ...(values.currentPassword === '' && { currentPassword: t('passwords.change.current.required') }),
      ...newPasswordErrors(t, 'email', values),
    }),
    codeFields: { REAUTHENTICATE: 'currentPassword' },
    submit: async (body) => {
      await call('POST /password', { body });
      toast(t('passwords.change.done'));
      onClose();
    },
  });
  const forgot = async () => {
    setIsAsking(true);
    try {
      onForgot((await call('GET /session')).user.email);
    } catch {
      toast(t('passwords.email.failed'), 'danger');
      setIsAsking(false);
    }
  };
  return (
    <Dialog
      title={t('passwords.change')}
      onClose={onClose}
      closeOnMask={false}
      footer={
        <>
          <Button onClick={onClose}>{t('passwords.change.cancel')}</Button>
          <Button variant="primary" loading={form.busy} onClick={() => void form.send()}>
            {t('passwords.change.submit')}
          </Button>
        </>
      }
    >
      <Form {...form.formProps}>
        <p className="ink-2">{t('passwords.change.note')}</p>
        <Field
          label={t('passwords.change.current')}
          aside={
            <Button
              variant="link"
              size="small"
              loading={isAsking}
              // The field keeps the focus: the error that shows when it is left would move the link from under the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => void forgot()}
            >
              {t('passwords.change.forgot')}
            </Button>
          }
          {...form.field('currentPassword')}
        >
          <PasswordInput {...form.bind('currentPassword')} autoComplete="current-password" data-autofocus />
        </Field>
        <Field
          label={t('passwords.new')}
          hint={<PasswordStrength password={form.values.newPassword} />}
          {...form.field('newPassword')}
        >
          <PasswordInput {...form.bind('newPassword')} autoComplete="new-password" />
        </Field>
        <Field label={t('passwords.confirm')} {...form.field('confirmPassword')}>
          <PasswordInput {...form.bind('confirmPassword')} autoComplete="new-password" />
        </Field>
        <FormProblem>{form.problem}</FormProblem>
        {/* Enter in any field submits, although the button is in the dialog's footer. */}
        <button type="submit" hidden />
      </Form>
    </Dialog>
  );
}
