import type { SignedInUser } from '../../http/call.ts';
import { ProblemError } from '../../http/problem.ts';

/** Every role that may change anything here belongs to a customer. */
export const customerOfUser = (user: SignedInUser): string => {
  if (user.customerId === null) throw new ProblemError('NOT_FOUND');
  return user.customerId;
};
