/**
 * Returns the mailto: URL of an address. Strangers typed it: it may contain only the address, and no other mail field.
 */
export const mailTo = (email: string): string => `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;
