import { isEmail, parseMsisdn } from '@pahatid/domain';
import type { Text } from '../i18n/use-text.tsx';

/** What is wrong with an e-mail address, a phone or a code as it is typed; undefined: nothing. */
export const emailError = (t: Text, email: string): string | undefined =>
  email.trim() === '' ? t('passwords.email.required') : isEmail(email.trim()) ? undefined : t('error.field.EMAIL');

/** Codes go to Philippine mobiles alone. */
export function phoneError(t: Text, phone: string): string | undefined {
  if (phone.trim() === '') return t('passwords.phone.required');
  const number = parseMsisdn(phone);
  return number.ok && number.country === 'PH' ? undefined : t('error.field.PHONE');
}

export const codeError = (t: Text, code: string): string | undefined =>
  code.length === 6 ? undefined : t(code === '' ? 'passwords.code.required' : 'passwords.code.digits');

/** Errors by field as forms take them, without the fields that have none. */
export function foundErrors<N extends string>(errors: Record<N, string | undefined>): Partial<Record<N, string>> {
  const found = Object.entries<string | undefined>(errors).filter(([, error]) => error !== undefined);
  return Object.fromEntries(found) as Partial<Record<N, string>>;
}
