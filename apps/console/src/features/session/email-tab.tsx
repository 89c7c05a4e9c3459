import { isEmail } from '@pahatid/domain';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useSendCode, whyNotSent } from '../../lib/codes/use-send-code.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { CodeInput } from '../../ui/form/code-input.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import type { SignInTabProps } from './account-tab.tsx';

/** By e-mail and a code that was sent there. */
export function EmailTab({ enter, askSecond }: SignInTabProps) {
  const t = useText();
  const code = useSendCode('signIn');
  const [isSent, setIsSent] = useState(code.secondsLeft > 0);
  const [notSent, setNotSent] = useState<string | null>(null);
  const emailError = (email: string): string | undefined =>
    email.trim() === '' ? t('passwords.email.required') : isEmail(email.trim()) ? undefined : t('error.field.EMAIL');
  const form = useForm({
    initial: { email: '', code: '' },
    validate: ({ email, code: given }) => {
      const wrong = emailError(email);
      return {
        ...(wrong !== undefined && { email: wrong }),
        ...(given.length !== 6 && {
          code: given === '' ? t('passwords.code.required') : t('passwords.code.digits'),
        }),
      };
    },
    codeFields: { CODE_INVALID: 'code' },
    submit: async ({ email, code: given }) => {
      try {
        await enter(await call('POST /session', { body: { email: email.trim(), code: given } }));
      } catch (error) {
        if (!askSecond(error)) throw error;
      }
    },
  });
  const send = async () => {
    form.bind('email').onBlur();
    if (emailError(form.values.email) !== undefined) return;
    setNotSent(null);
    try {
      await code.send({ purpose: 'signIn', email: form.values.email.trim() });
      setIsSent(true);
      toast(t('passwords.code.sent'));
    } catch (error) {
      setNotSent(whyNotSent(error, t('passwords.code.failed')));
    }
  };
  return (
    <Form {...form.formProps}>
      <Field label={t('passwords.email')} {...form.field('email')}>
        <TextInput
          {...form.bind('email')}
          type="email"
          dir="ltr"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
        />
      </Field>
      <Field
        label={t('passwords.code')}
        hint={isSent && notSent === null ? t('passwords.code.sentHint') : undefined}
        error={notSent ?? form.errorOf('code')}
      >
        <CodeInput {...form.bind('code')} {...code.button(isSent)} onSend={() => void send()} />
      </Field>
      <FormProblem>{form.problem}</FormProblem>
      <Button type="submit" variant="primary" size="large" block loading={form.busy}>
        {t('passwords.emailTab.submit')}
      </Button>
    </Form>
  );
}
