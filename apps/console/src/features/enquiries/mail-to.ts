/** Where a mail to an address begins. Strangers typed it: what is in it is the address, and no field of the mail. */
export const mailTo = (email: string): string => `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;
