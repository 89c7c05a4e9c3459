import type { parseMsisdn } from '@pahatid/domain';
import type { Text } from '../i18n/use-text.tsx';

/** The rules of all the world's numbers weigh as much as a screen; they arrive while a person types the number. */
let rules: { parseMsisdn: typeof parseMsisdn } | null = null;
let isAsked = false;

/** What the rules say of a number; null while they are on their way (the server has the last word) and of no number. */
export function readPhone(phone: string): ReturnType<typeof parseMsisdn> | null {
  if (phone.trim() === '') return null;
  if (!isAsked) {
    isAsked = true;
    import('./phone-rules.ts').then(
      (arrived) => {
        rules = arrived;
      },
      () => {
        isAsked = false;
      },
    );
  }
  return rules?.parseMsisdn(phone) ?? null;
}

/** What is wrong with a phone that a code is to be sent to; only Philippine mobiles get any. */
export function phoneError(t: Text, phone: string): string | undefined {
  if (phone.trim() === '') return t('passwords.phone.required');
  const number = readPhone(phone);
  return number === null || (number.ok && number.country === 'PH') ? undefined : t('error.field.PHONE');
}
