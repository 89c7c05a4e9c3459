import { parseMsisdn } from '@pahatid/domain';
import type { Text } from '../i18n/use-text.tsx';

/** What is wrong with a phone as it is typed. By itself: the rules of numbers are ten times a sign-in's own code. */
export function phoneError(t: Text, phone: string): string | undefined {
  if (phone.trim() === '') return t('passwords.phone.required');
  // Codes go to Philippine mobiles alone.
  const number = parseMsisdn(phone);
  return number.ok && number.country === 'PH' ? undefined : t('error.field.PHONE');
}
