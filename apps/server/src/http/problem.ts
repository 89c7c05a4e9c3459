/**
 * Errors reported to the caller. Code that detects one throws a `ProblemError`; the error handler turns it into
 * `application/problem+json` (RFC 9457). Every other exception is INTERNAL, and its detail goes only to the log.
 */
import { type ErrorCode, errorCatalogue, type FieldError, type Problem } from '@pahatid/contract';

export type ProblemParams = Record<string, string | number>;

export class ProblemError extends Error {
  readonly code: ErrorCode;
  readonly params: ProblemParams | undefined;
  readonly errors: readonly FieldError[] | undefined;

  constructor(code: ErrorCode, params?: ProblemParams, errors?: readonly FieldError[]) {
    super(code);
    this.name = 'ProblemError';
    this.code = code;
    this.params = params;
    this.errors = errors;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }
}

/** One field of the body or the query that is wrong. */
export const fieldProblem = (field: string, code: string, params?: ProblemParams): ProblemError =>
  new ProblemError('VALIDATION_FAILED', undefined, [params === undefined ? { field, code } : { field, code, params }]);

/** Tried too often: comes again once the window is over. */
export const tooOften = (endsAt: Date, now: Date): ProblemError =>
  new ProblemError('RATE_LIMITED', { retryAfterS: Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1000)) });

/** Plain text for people who read responses without the console; programs use the code. */
const titleOf = (code: ErrorCode): string => {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Returns the body of an error response. `publicUrl`: the site that has a page for each code. */
export function makeProblem(error: ProblemError, requestId: string, publicUrl: string): Problem {
  const problem: Problem = {
    type: `${publicUrl}/docs/errors/${error.code}`,
    title: titleOf(error.code),
    status: error.status,
    code: error.code,
    requestId,
  };
  if (error.params !== undefined) problem.params = error.params;
  if (error.errors !== undefined) problem.errors = [...error.errors];
  return problem;
}
