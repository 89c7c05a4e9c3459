import type { Role } from '@pahatid/contract';
import { maskMsisdn } from '@pahatid/domain';

/** Who reads phone numbers whole: those who sent to them. Viewers and staff see 63917***4567. */
export const seesPhones = (role: Role): boolean => role === 'owner' || role === 'member';

/** A phone number as this user may see it. */
export const phoneFor = (user: { readonly role: Role }, msisdn: string): string =>
  seesPhones(user.role) ? msisdn : maskMsisdn(msisdn);
