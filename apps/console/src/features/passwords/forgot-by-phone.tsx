import { call } from '../../lib/api/call.ts';
import { phoneError } from '../../lib/codes/phone-error.ts';
import { codeError, foundErrors } from '../../lib/codes/typed-errors.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { CodeField } from '../../ui/form/code-field.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { PhoneInput } from '../../ui/form/phone-input.tsx';
import { PasswordInput } from '../../ui/form/text-input.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { useSendCode } from '../../ui/form/use-send-code.ts';
import { newPasswordErrors } from './new-password.ts';

/** A new password by a code sent by SMS; one page, as the specification shows it. */
export function ForgotByPhone({ onDone }: { onDone: () => void }) {
  const t = useText();
  const code = useSendCode('resetByPhone', (phone: string) =>
    call('POST /codes', { body: { purpose: 'resetPassword', phone } }),
  );
  const form = useForm({
    initial: { phone: '', code: '', newPassword: '', confirmPassword: '' },
    validate: (values) => ({
      ...foundErrors({ phone: phoneError(t, values.phone), code: codeError(t, values.code) }),
      ...newPasswordErrors(t, 'phone', values),
    }),
    codeFields: { CODE_INVALID: 'code' },
    submit: async (values) => {
      await call('POST /password-resets/by-phone', { body: { ...values, phone: values.phone.trim() } });
      toast(t('passwords.reset.done'));
      onDone();
    },
  });
  const send = () => {
    if (form.check('phone')) void code.trySending(form.values.phone.trim());
  };
  return (
    <Form {...form.formProps}>
      <Field
        label={t('passwords.phone')}
        hint={form.errorOf('phone') ? undefined : t('passwords.phone.hint')}
        {...form.field('phone')}
      >
        <PhoneInput {...form.bind('phone')} autoFocus data-autofocus />
      </Field>
      <CodeField
        bound={form.bind('code')}
        error={form.errorOf('code')}
        code={code}
        hint={t('passwords.code.sentHintSms')}
        onSend={send}
      />
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
