/** Converts every thrown error to a problem of the catalogue; internal detail goes only to the log. */
import { CommitUnknownError, isPassing } from '@pahatid/db';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { PasswordsBusyError } from '../secrets/passwords.ts';
import { makeProblem, ProblemError } from './problem.ts';

/** JSON bodies, unless their route allows more. The largest of these is a task with 99 columns. */
export const jsonLimitBytes = 1_048_576;

const retryAfterS = 5;
/** Disk full, out of memory for a write: nothing was stored, and an immediate retry will not help. */
const storageFull = new Set(['53100']);
/** Cancelled by the statement's time limit, or no connection to be had. */
const overloaded = new Set(['57014', '53300']);

function problemFor(error: unknown, { routeOptions }: FastifyRequest): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof PasswordsBusyError) return new ProblemError('UNAVAILABLE', { retryAfterS: 2 });
  const { code, statusCode, message } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new ProblemError('BODY_TOO_LARGE', { limitBytes: routeOptions.bodyLimit ?? jsonLimitBytes });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new ProblemError('MEDIA_TYPE_UNSUPPORTED');
  if (code === 'FST_ERR_REP_ALREADY_SENT') return new ProblemError('INTERNAL');
  if (code !== undefined && storageFull.has(code)) return new ProblemError('STORAGE_FULL');
  // Lost during COMMIT: a caller with an Idempotency-Key gets the outcome by retrying.
  const isPassed = error instanceof CommitUnknownError || isPassing(error) || isLostConnection(message);
  if ((code !== undefined && overloaded.has(code)) || isPassed) return new ProblemError('UNAVAILABLE', { retryAfterS });
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new ProblemError('BAD_REQUEST');
  return new ProblemError('INTERNAL');
}

/** The driver's own failures have no code. */
const isLostConnection = (message: string | undefined): boolean =>
  /Connection terminated|not queryable|timeout exceeded when trying to connect/.test(message ?? '');

export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemFor(error, request);
  request.errorCode = problem.code;
  // A refusal that we decided on ourselves is no accident, and under load there are many.
  const isRefusal =
    (error instanceof ProblemError || error instanceof PasswordsBusyError) && problem.code === 'UNAVAILABLE';
  if (problem.status >= 500 && !isRefusal) request.log.error({ err: error, requestId: request.id }, 'request failed');
  else request.log.debug({ code: problem.code, requestId: request.id }, 'request refused');
  const retryAfter = problem.params?.retryAfterS;
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  return reply
    .code(problem.status)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(makeProblem(problem, request.id, request.server.api.deps.config.publicUrl)));
}
