import type { Role } from '@pahatid/contract';
import { maskMsisdn } from '@pahatid/domain';

/** Who reads phone numbers whole: those who sent to them. Viewers and staff see 63917***4567. */
export const seesPhones = (role: Role): boolean => role === 'owner' || role === 'member';

/** A phone number as this user may see it; '' for one that was erased. */
export const phoneFor = (user: { readonly role: Role }, msisdn: string): string =>
  seesPhones(user.role) || msisdn === '' ? msisdn : maskMsisdn(msisdn);

/** Nine digits or more with no letter between them, spelled in any way. */
const numberLike = /\p{Nd}(?:[^\p{L}\p{Nd}]{0,3}\p{Nd}){8,}/gu;
/** Longest number there is (E.164); what is longer is several in a row. */
const longestNumber = 15;

/** A text as this user may see it: whatever may be a phone number in it is masked. */
export const textFor = (user: { readonly role: Role }, text: string): string =>
  seesPhones(user.role)
    ? text
    : text.replaceAll(numberLike, (run) => {
        // By its digits alone: what stands between them must not take the place of what is hidden.
        const digits = run.normalize('NFKC').replaceAll(/\P{Nd}/gu, '');
        return digits.length > longestNumber ? `***${digits.slice(-4)}` : maskMsisdn(digits);
      });
