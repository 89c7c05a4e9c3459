import { checkPassword, checkPhonePassword } from '@pahatid/domain';
import type { Text } from '../../lib/i18n/use-text.tsx';

interface NewPassword {
  newPassword: string;
  confirmPassword: string;
}

/** The server's own rules, as one types; `phone` is the rule of the phone flow, `email` that of every other one. */
export function newPasswordErrors(t: Text, rule: 'phone' | 'email', values: NewPassword): Partial<NewPassword> {
  const { newPassword, confirmPassword } = values;
  const [problem] = rule === 'phone' ? checkPhonePassword(newPassword) : checkPassword(newPassword);
  return {
    ...(problem !== undefined && {
      newPassword: newPassword === '' ? t('passwords.new.required') : t(`error.field.PASSWORD_${problem}`),
    }),
    ...(confirmPassword === ''
      ? { confirmPassword: t('passwords.confirm.required') }
      : confirmPassword !== newPassword && { confirmPassword: t('error.field.PASSWORD_MISMATCH') }),
  };
}
