import { ProblemError } from '../http/problem.ts';
import type { Guard } from './guard.ts';

/** Throws CALLBACK_URL_INVALID for an address that is never called. The name is resolved only when it is called. */
export function assertCallbackUrl(guard: Pick<Guard, 'readUrl'>, url: string, field: string): void {
  if (guard.readUrl(url) === null)
    throw new ProblemError('CALLBACK_URL_INVALID', undefined, [{ field, code: 'CALLBACK_URL_INVALID' }]);
}
