import type { Role } from '@pahatid/contract';

/** Who reads phone numbers whole: those who sent to them. Viewers and staff see 63917***4567. */
const seesPhones = (role: Role): boolean => role === 'owner' || role === 'member';

/** Keeps enough to recognise a number and too little to call it; short numbers keep their last two digits only. */
export const maskPhone = (msisdn: string): string =>
  msisdn.length >= 10 ? `${msisdn.slice(0, 5)}***${msisdn.slice(-4)}` : `***${msisdn.slice(-2)}`;

/** A phone number as this user may see it. */
export const phoneFor = (user: { readonly role: Role }, msisdn: string): string =>
  seesPhones(user.role) ? msisdn : maskPhone(msisdn);
