import type { FieldError } from '@pahatid/contract';
import { isAccount, isEmail } from '@pahatid/domain';
import { ProblemError } from '../../http/problem.ts';
import { checkFirstPassword } from '../../secrets/first-password.ts';

interface FirstAdmin {
  readonly account: string;
  readonly email: string;
  readonly password: string;
}

/** Applies the rules that the page shows while typing; returns account and address as stored, in lower case. */
export function checkFirstAdmin({ account, email, password }: FirstAdmin): FirstAdmin {
  const errors: FieldError[] = [];
  if (!isEmail(email)) errors.push({ field: 'email', code: 'EMAIL' });
  if (!isAccount(account)) errors.push({ field: 'account', code: 'ACCOUNT' });
  errors.push(...checkFirstPassword(password, [account, email]));
  if (errors.length > 0) throw new ProblemError('VALIDATION_FAILED', undefined, errors);
  return { account: account.toLowerCase(), email: email.toLowerCase(), password };
}
