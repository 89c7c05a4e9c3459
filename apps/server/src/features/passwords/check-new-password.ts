import type { FieldError } from '@pahatid/contract';
import type { PasswordOwner } from '@pahatid/db';
import { checkGuessable, checkPassword, checkPhonePassword } from '@pahatid/domain';
import { ProblemError } from '../../http/problem.ts';

/** The two rules of the specification §5: by phone 6 to 20 characters, everywhere else eight of four kinds. */
export type PasswordRule = 'phone' | 'email';

interface NewPassword {
  readonly newPassword: string;
  readonly confirmPassword: string;
}

/** Checks that need no user; run before anything is compared or counted. */
export function assertRule(rule: PasswordRule, { newPassword, confirmPassword }: NewPassword): void {
  const problems = rule === 'phone' ? checkPhonePassword(newPassword) : checkPassword(newPassword);
  const errors: FieldError[] = problems.map((problem) => ({ field: 'newPassword', code: `PASSWORD_${problem}` }));
  if (newPassword !== confirmPassword) errors.push({ field: 'confirmPassword', code: 'PASSWORD_MISMATCH' });
  if (errors.length === 0 && checkGuessable(newPassword, []) === 'COMMON')
    errors.push({ field: 'newPassword', code: 'PASSWORD_COMMON' });
  if (errors.length > 0) throw new ProblemError('VALIDATION_FAILED', undefined, errors);
}

/** Checks that depend on the password's owner. */
export function assertNotGuessable(newPassword: string, owner: PasswordOwner): void {
  const words = [owner.account, owner.email, owner.name, owner.customerName ?? ''];
  const problem = checkGuessable(newPassword, words);
  if (problem === null) return;
  throw new ProblemError('VALIDATION_FAILED', undefined, [{ field: 'newPassword', code: `PASSWORD_${problem}` }]);
}
