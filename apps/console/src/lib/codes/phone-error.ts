import type { parseMsisdn } from '@pahatid/domain';
import type { Text } from '../i18n/use-text.tsx';

/** The rules of all the world's numbers weigh as much as a screen; they arrive while a person types the number. */
let rules: { parseMsisdn: typeof parseMsisdn } | null = null;
let isAsked = false;

/** Parses a number by the rules; null while they are loading (the server decides) and for no number. */
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

/** Returns the error of a phone to send a code to; only Philippine mobiles are supported. */
export function phoneError(t: Text, phone: string): string | undefined {
  if (phone.trim() === '') return t('passwords.phone.required');
  const number = readPhone(phone);
  return number === null || (number.ok && number.country === 'PH') ? undefined : t('error.field.PHONE');
}
