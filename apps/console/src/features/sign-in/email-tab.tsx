import { call } from '../../lib/api/call.ts';
import { codeError, emailError, foundErrors } from '../../lib/codes/typed-errors.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { CodeField } from '../../ui/form/code-field.tsx';
import { EmailInput } from '../../ui/form/email-input.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { useSendCode } from '../../ui/form/use-send-code.ts';
import type { SignInTabProps } from './account-tab.tsx';

/** By e-mail and a code that was sent there. */
export default function EmailTab({ enter, askSecond, autoFocus }: SignInTabProps) {
  const t = useText();
  const code = useSendCode('signIn', (email: string) => call('POST /codes', { body: { purpose: 'signIn', email } }));
  const form = useForm({
    initial: { email: '', code: '' },
    validate: (values) => foundErrors({ email: emailError(t, values.email), code: codeError(t, values.code) }),
    codeFields: { CODE_INVALID: 'code' },
    submit: async ({ email, code: given }) => {
      try {
        await enter(await call('POST /session', { body: { email: email.trim(), code: given } }));
      } catch (error) {
        if (!askSecond(error)) throw error;
      }
    },
  });
  const send = () => {
    if (form.check('email')) void code.trySending(form.values.email.trim());
  };
  return (
    <Form {...form.formProps}>
      <Field label={t('passwords.email')} {...form.field('email')}>
        <EmailInput {...form.bind('email')} autoFocus={autoFocus} data-autofocus />
      </Field>
      <CodeField
        bound={form.bind('code')}
        error={form.errorOf('code')}
        code={code}
        hint={t('passwords.code.sentHint')}
        onSend={send}
      />
      <FormProblem>{form.problem}</FormProblem>
      <Button type="submit" variant="primary" size="large" block loading={form.busy}>
        {t('passwords.emailTab.submit')}
      </Button>
    </Form>
  );
}
