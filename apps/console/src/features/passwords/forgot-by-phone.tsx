import { parseMsisdn } from '@pahatid/domain';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useSendCode, whyNotSent } from '../../lib/codes/use-send-code.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { CodeInput } from '../../ui/form/code-input.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { PasswordInput, TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { newPasswordErrors } from './new-password.ts';

function isPhilippine(phone: string): boolean {
  const number = parseMsisdn(phone);
  return number.ok && number.country === 'PH';
}

/** A new password by a code that comes by SMS; one page, as the specification shows it. */
export function ForgotByPhone({ onDone }: { onDone: () => void }) {
  const t = useText();
  const code = useSendCode('resetByPhone');
  const [isSent, setIsSent] = useState(code.secondsLeft > 0);
  const [notSent, setNotSent] = useState<string | null>(null);
  const phoneError = (phone: string): string | undefined =>
    phone.trim() === '' ? t('passwords.phone.required') : isPhilippine(phone) ? undefined : t('error.field.PHONE');
  const form = useForm({
    initial: { phone: '', code: '', newPassword: '', confirmPassword: '' },
    validate: (values) => {
      const wrong = phoneError(values.phone);
      return {
        ...(wrong !== undefined && { phone: wrong }),
        ...(values.code.length !== 6 && {
          code: values.code === '' ? t('passwords.code.required') : t('passwords.code.digits'),
        }),
        ...newPasswordErrors(t, 'phone', values),
      };
    },
    codeFields: { CODE_INVALID: 'code' },
    submit: async (values) => {
      await call('POST /password-resets/by-phone', { body: { ...values, phone: values.phone.trim() } });
      toast(t('passwords.reset.done'));
      onDone();
    },
  });
  const send = async () => {
    form.bind('phone').onBlur();
    if (phoneError(form.values.phone) !== undefined) return;
    setNotSent(null);
    try {
      await code.send({ purpose: 'resetPassword', phone: form.values.phone.trim() });
      setIsSent(true);
      toast(t('passwords.code.sent'));
    } catch (error) {
      setNotSent(whyNotSent(error, t('passwords.code.failed')));
    }
  };
  return (
    <Form {...form.formProps}>
      <Field
        label={t('passwords.phone')}
        hint={form.errorOf('phone') ? undefined : t('passwords.phone.hint')}
        {...form.field('phone')}
      >
        <TextInput
          {...form.bind('phone')}
          type="tel"
          code
          autoComplete="tel"
          placeholder="0917 000 0000"
          data-autofocus
        />
      </Field>
      <Field
        label={t('passwords.code')}
        hint={isSent && notSent === null ? t('passwords.code.sentHintSms') : undefined}
        error={notSent ?? form.errorOf('code')}
      >
        <CodeInput {...form.bind('code')} {...code.button(isSent)} onSend={() => void send()} />
      </Field>
      <Field
        label={t('passwords.new')}
        hint={form.errorOf('newPassword') ? undefined : t('passwords.forgot.hint')}
        {...form.field('newPassword')}
      >
        <PasswordInput {...form.bind('newPassword')} autoComplete="new-password" />
      </Field>
      <Field label={t('passwords.confirm')} {...form.field('confirmPassword')}>
        <PasswordInput {...form.bind('confirmPassword')} autoComplete="new-password" />
      </Field>
      <FormProblem>{form.problem}</FormProblem>
      <Button type="submit" variant="primary" size="large" block loading={form.busy}>
        {t('passwords.forgot.submit')}
      </Button>
    </Form>
  );
}
