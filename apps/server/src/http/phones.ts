import type { Role } from '@pahatid/contract';
import { maskInText, maskMsisdn } from '@pahatid/domain';

/** Whether the role sees full phone numbers: the roles that sent to them. Viewers and staff see 63******4567. */
export const seesPhones = (role: Role): boolean => role === 'owner' || role === 'member';

/** A phone number as this user may see it; '' for one that was erased. */
export const phoneFor = (user: { readonly role: Role }, msisdn: string): string =>
  seesPhones(user.role) || msisdn === '' ? msisdn : maskMsisdn(msisdn);

/** Nine digits or more with no letter between them, in any spelling; or four to eight of a code. */
const hiddenDigits = /\p{Nd}(?:[^\p{L}\p{Nd}]{0,3}\p{Nd}){8,}|\p{Nd}(?:[ -]?\p{Nd}){3,7}/gu;

/** Returns a text as this user may see it: anything that may be a phone number or a code is masked. */
export const textFor = (user: { readonly role: Role }, text: string): string =>
  seesPhones(user.role)
    ? text
    : // By its digits alone: separators must not take the place of hidden digits.
      text.replaceAll(hiddenDigits, (run) => maskInText(run.normalize('NFKC').replaceAll(/\P{Nd}/gu, '')));
