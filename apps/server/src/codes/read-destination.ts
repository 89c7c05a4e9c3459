import { isEmail, parseMsisdn } from '@pahatid/domain';
import { fieldProblem } from '../http/problem.ts';

/** As stored: in lower case. */
export function readEmail(email: string): string {
  if (!isEmail(email)) throw fieldProblem('email', 'EMAIL');
  return email.toLowerCase();
}

/** A Philippine mobile number in any form people write it in: codes go nowhere else. */
export function readPhone(phone: string): string {
  const number = parseMsisdn(phone);
  if (!number.ok || number.country !== 'PH') throw fieldProblem('phone', 'PHONE');
  return number.msisdn;
}
