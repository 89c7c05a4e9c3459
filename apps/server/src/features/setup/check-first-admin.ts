import type { FieldError } from '@pahatid/contract';
import { checkPassword, isAccount, isEmail } from '@pahatid/domain';
import { ProblemError } from '../../http/problem.ts';

interface FirstAdmin {
  readonly account: string;
  readonly email: string;
  readonly password: string;
}

/** The rules that the page shows while typing; answers account and address as they are kept, in lower case. */
export function checkFirstAdmin({ account, email, password }: FirstAdmin): FirstAdmin {
  const errors: FieldError[] = [];
  if (!isEmail(email)) errors.push({ field: 'email', code: 'EMAIL' });
  if (!isAccount(account)) errors.push({ field: 'account', code: 'ACCOUNT' });
  for (const problem of checkPassword(password)) errors.push({ field: 'password', code: `PASSWORD_${problem}` });
  if (errors.length > 0) throw new ProblemError('VALIDATION_FAILED', undefined, errors);
  return { account: account.toLowerCase(), email: email.toLowerCase(), password };
}
