import { customerOf, type Scope } from '@pahatid/db';
import type { SignedInUser } from '../../http/call.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';

/** Every role that may change anything here belongs to a customer. */
export const customerOfUser = (user: SignedInUser): string => {
  if (user.customerId === null) throw new ProblemError('NOT_FOUND');
  return user.customerId;
};

/** Whose people are read: one's own customer's, or for staff those of the one they name. */
export const readCustomer = (scope: Scope): string => {
  const customerId = customerOf(scope);
  if (customerId === null) throw fieldProblem('customerId', 'REQUIRED');
  return customerId;
};
