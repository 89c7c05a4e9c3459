const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const EMAIL = new RegExp(`^[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${LABEL}(?:\\.${LABEL})+$`);

/** Whether a text can be an e-mail address: the form browsers accept, with a domain of two labels at least. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && EMAIL.test(text) && !/^\.|\.\.|\.@/.test(text);
}

/** Whether a text can be an account name: 3 to 32 letters, digits, dots, hyphens and underscores. */
export function isAccount(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{2,31}$/.test(text);
}
