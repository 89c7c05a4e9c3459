import type { ErrorCode, FieldError, Problem } from '@pahatid/contract';

/** Errors that occurred before any API response. */
export type LocalCode = 'NETWORK' | 'ABORTED' | 'UNREADABLE_ANSWER' | 'PASSKEY_CANCELLED';

/** A response that is not a success, or no response at all (`status` 0). */
export class ApiError extends Error {
  readonly code: ErrorCode | LocalCode;
  readonly status: number;
  readonly params: Record<string, string | number>;
  readonly errors: readonly FieldError[];
  /** Identifies this call in the server's log; shown to users so that support can find it. */
  readonly requestId: string | null;

  constructor(
    code: ErrorCode | LocalCode,
    status: number,
    rest: {
      params?: Record<string, string | number> | undefined;
      errors?: readonly FieldError[] | undefined;
      requestId?: string | null | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(code, { cause: rest.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.params = rest.params ?? {};
    this.errors = rest.errors ?? [];
    this.requestId = rest.requestId ?? null;
  }

  /** Worth another try without a person: nothing reached the server, or the server itself failed. */
  get retryable(): boolean {
    return this.code === 'NETWORK' || this.status >= 500;
  }

  /** `requestId` if the server failed: only then is there something for support to find. */
  get idForSupport(): string | null {
    return this.status >= 500 || this.code === 'UNREADABLE_ANSWER' ? this.requestId : null;
  }
}

/** Reads problem+json; anything else (a proxy's page) becomes UNREADABLE_ANSWER with its status. */
export function problemToError(status: number, text: string, requestId: string | null): ApiError {
  try {
    const problem = JSON.parse(text) as Partial<Problem>;
    if (typeof problem.code === 'string') {
      return new ApiError(problem.code, status, {
        params: problem.params,
        errors: problem.errors,
        requestId: problem.requestId ?? requestId,
      });
    }
  } catch {
    // Falls through: the body is not ours.
  }
  return new ApiError('UNREADABLE_ANSWER', status, { requestId });
}
