import { checkPassword, isAccount } from '@pahatid/domain';
import type { ReactNode } from 'react';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { PasswordInput, TextInput } from '../../ui/form/inputs.tsx';
import { PasswordStrength } from '../../ui/form/password-strength.tsx';

interface Bound {
  name: string;
  value: string;
  onChange: (value: string) => void;
  onBlur: () => void;
}
interface NewFieldProps {
  /** `form.bind(…)` and `form.errorOf(…)`. */
  bound: Bound;
  error: string | undefined;
}

/** The name a new person will sign in with. */
export function NewAccountField({ bound, error }: NewFieldProps) {
  const t = useText();
  return (
    <Field label={t('session.account')} hint={error ? null : t('setup.account.hint')} error={error}>
      <TextInput {...bound} dir="ltr" autoComplete="username" autoCapitalize="none" spellCheck={false} maxLength={32} />
    </Field>
  );
}

/** A first password, with its requirements ticked while it is typed. */
export function FirstPasswordField({ bound, error }: NewFieldProps) {
  const t = useText();
  return (
    <Field label={t('session.password')} hint={<PasswordStrength password={bound.value} />} error={error}>
      <PasswordInput {...bound} autoComplete="new-password" />
    </Field>
  );
}

/** The server's own rules, as one types; undefined: nothing is wrong. */
export const newAccountError = (t: Text, account: string): string | undefined =>
  isAccount(account.trim()) ? undefined : t(account.trim() === '' ? 'session.account.required' : 'error.field.ACCOUNT');

export function firstPasswordError(t: Text, password: string): string | undefined {
  if (password === '') return t('session.password.required');
  const [problem] = checkPassword(password);
  return problem && t(`error.field.PASSWORD_${problem}`);
}

/** The field with the focus keeps it: the error that shows when it is left would move the button from under the click. */
export const FirstSubmit = ({ busy, children }: { busy: boolean; children: ReactNode }) => (
  <Button
    type="submit"
    variant="primary"
    size="large"
    block
    loading={busy}
    onMouseDown={(event) => event.preventDefault()}
  >
    {children}
  </Button>
);
