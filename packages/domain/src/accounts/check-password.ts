export type PasswordProblem =
  | 'TOO_SHORT'
  | 'TOO_LONG'
  | 'NO_UPPERCASE'
  | 'NO_LOWERCASE'
  | 'NO_NUMBER'
  | 'NO_SPECIAL'
  | 'LENGTH';

/** Far beyond any person's memory; it only bounds the work of hashing. */
const LONGEST = 200;

/** Counts characters as perceived by users, however an accent was typed. */
const countCharacters = (password: string): number => Array.from(password.normalize('NFC')).length;

/**
 * The rule of the e-mail flow (specification §5): at least 8 characters with upper case, lower case, number and special
 * character. First and changed passwords follow it too.
 */
export function checkPassword(password: string): PasswordProblem[] {
  const problems: PasswordProblem[] = [];
  const length = countCharacters(password);
  if (length < 8) problems.push('TOO_SHORT');
  if (length > LONGEST) problems.push('TOO_LONG');
  if (!/\p{Lu}/u.test(password)) problems.push('NO_UPPERCASE');
  if (!/\p{Ll}/u.test(password)) problems.push('NO_LOWERCASE');
  if (!/\p{Nd}/u.test(password)) problems.push('NO_NUMBER');
  if (!/[^\p{L}\p{M}\p{Nd}]/u.test(password)) problems.push('NO_SPECIAL');
  return problems;
}

/** The rule of the phone flow (specification §5): 6 to 20 characters. */
export function checkPhonePassword(password: string): PasswordProblem[] {
  const length = countCharacters(password);
  return length < 6 || length > 20 ? ['LENGTH'] : [];
}

/** Shown by the strength meter (specification §5). */
export type PasswordStrength = 'Weak' | 'Medium' | 'Strong';

/** The most common passwords; a password built around one is weak regardless of additions. */
const COMMON =
  /password|passw0rd|p@ss|qwert|asdf|zxcv|letmein|welcome|iloveyou|admin|pahatid|1234|4321|abcd|abc123|1111|0000|mahal/i;

/** Rates roughly how hard a password is to guess: by kinds of characters, length, and common passwords. */
export function ratePassword(password: string): PasswordStrength {
  const characters = Array.from(password.normalize('NFC'));
  const kinds = [/\p{Lu}/u, /\p{Ll}/u, /\p{Nd}/u, /[^\p{L}\p{M}\p{Nd}]/u].filter((kind) => kind.test(password)).length;
  const distinct = new Set(characters).size;
  if (characters.length < 8 || distinct < 5 || COMMON.test(password)) return 'Weak';
  if (distinct >= 9 && (kinds === 4 ? characters.length >= 10 : characters.length >= 16)) return 'Strong';
  return kinds >= 3 || characters.length >= 12 ? 'Medium' : 'Weak';
}
