import { call } from '../../lib/api/call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { makePasskey } from '../../lib/passkeys.ts';
import { Button } from '../../ui/base/button.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { PasswordInput, TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Dialog } from '../../ui/layers/dialog.tsx';

interface AddPasskeyProps {
  /** The password was given a moment ago, at the sign-in. */
  isFresh?: boolean;
  /** With recovery codes if it is the first factor. */
  onDone: (recoveryCodes: readonly string[]) => unknown;
  onClose: () => void;
}

const longestName = 60;

/** Names a passkey and has the browser make it. */
export function AddPasskey({ isFresh = false, onDone, onClose }: AddPasskeyProps) {
  const t = useText();
  const form = useForm({
    initial: { name: '', currentPassword: '' },
    validate: ({ name, currentPassword }) => ({
      ...(name.trim() === '' && { name: t('account.passkey.name.required') }),
      ...(!isFresh && currentPassword === '' && { currentPassword: t('account.password.required') }),
    }),
    codeFields: { REAUTHENTICATE: 'currentPassword' },
    submit: async ({ name, currentPassword }) => {
      const body = isFresh ? {} : { currentPassword };
      const { challenge, options } = await call('POST /account/passkeys/question', { body });
      const attestation = await makePasskey(options);
      const { recoveryCodes } = await call('POST /account/passkeys', {
        body: { challenge, name: name.trim(), attestation },
      });
      await onDone(recoveryCodes ?? []);
    },
  });
  return (
    <Dialog
      title={t('account.passkey.add')}
      closeOnMask={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" loading={form.busy} onClick={() => void form.send()}>
            {t('account.passkey.make')}
          </Button>
        </>
      }
    >
      <div className="stack account-dialog">
        <p className="ink-2">{t('account.passkey.lead')}</p>
        <Form {...form.formProps}>
          <Field label={t('account.passkey.name')} hint={t('account.passkey.name.hint')} {...form.field('name')}>
            <TextInput {...form.bind('name')} maxLength={longestName} dir="auto" data-autofocus />
          </Field>
          {!isFresh && (
            <Field label={t('account.password')} {...form.field('currentPassword')}>
              <PasswordInput {...form.bind('currentPassword')} autoComplete="current-password" />
            </Field>
          )}
          <FormProblem>{form.problem}</FormProblem>
          <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
        </Form>
      </div>
    </Dialog>
  );
}
