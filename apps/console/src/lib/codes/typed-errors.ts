import { isEmail } from '@pahatid/domain';
import type { Text } from '../i18n/use-text.tsx';

/** Returns the error of a typed e-mail address or code; undefined: none. */
export const emailError = (t: Text, email: string): string | undefined =>
  email.trim() === '' ? t('passwords.email.required') : isEmail(email.trim()) ? undefined : t('error.field.EMAIL');

export const codeError = (t: Text, code: string): string | undefined =>
  code.length === 6 ? undefined : t(code === '' ? 'passwords.code.required' : 'passwords.code.digits');

/** Errors by field as forms take them, without the fields that have none. */
export function foundErrors<N extends string>(errors: Record<N, string | undefined>): Partial<Record<N, string>> {
  const found = Object.entries<string | undefined>(errors).filter(([, error]) => error !== undefined);
  return Object.fromEntries(found) as Partial<Record<N, string>>;
}
