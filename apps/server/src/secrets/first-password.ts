import type { FieldError } from '@pahatid/contract';
import { checkGuessable, checkPassword } from '@pahatid/domain';

/**
 * Returns what is wrong with the password of a new account: a violated rule, or a password that is among the first
 * guesses.
 */
export function checkFirstPassword(password: string, words: readonly string[]): FieldError[] {
  const broken = checkPassword(password);
  const guessable = broken.length > 0 ? null : checkGuessable(password, words);
  const problems = guessable === null ? broken : [guessable];
  return problems.map((problem) => ({ field: 'password', code: `PASSWORD_${problem}` }));
}
