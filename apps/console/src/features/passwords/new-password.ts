import { checkPassword, checkPhonePassword } from '@pahatid/domain';
import type { Text } from '../../lib/i18n/use-text.tsx';

interface NewPassword {
  newPassword: string;
  confirmPassword: string;
}

/**
 * Applies the server's own rules while the user types; `phone` is the rule of the phone flow, `email` that of all
 * others.
 */
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
