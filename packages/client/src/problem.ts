/** A field of a call that was refused. */
export interface FieldProblem {
  /** `content`, `messages[3].to` */
  readonly field: string;
  readonly code: string;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** What the server said of a call that it refused: `application/problem+json` (RFC 9457). */
interface Problem {
  code?: string;
  title?: string;
  detail?: string;
  params?: Record<string, string | number>;
  errors?: FieldProblem[];
  requestId?: string;
}

/** A call that the server refused. Calls that got no answer throw the error of `fetch` instead. */
export class PahatidError extends Error {
  override readonly name = 'PahatidError';
  /** HTTP status. */
  readonly status: number;
  /** Code of the catalogue (`/docs/errors`); `UNKNOWN` if the answer is not one of Pahatid, as of a proxy. */
  readonly code: string;
  readonly params: Readonly<Record<string, string | number>>;
  /** Refused fields, empty if the code is not about fields. */
  readonly errors: readonly FieldProblem[];
  /** Names the call in the server's log. */
  readonly requestId: string | null;

  constructor(status: number, problem: Problem, requestId: string | null) {
    super(`${problem.code ?? 'UNKNOWN'} (${status})${problem.detail ? `: ${problem.detail}` : ''}`);
    this.status = status;
    this.code = problem.code ?? 'UNKNOWN';
    this.params = problem.params ?? {};
    this.errors = problem.errors ?? [];
    this.requestId = requestId;
  }
}

/** Reads a refused answer; a body that cannot be read is ignored. */
export async function readProblem(response: Response): Promise<PahatidError> {
  const text = await response.text().catch(() => '');
  let problem: Problem = {};
  try {
    problem = JSON.parse(text) as Problem;
  } catch {
    // A proxy's page.
  }
  return new PahatidError(response.status, problem, response.headers.get('x-request-id'));
}
