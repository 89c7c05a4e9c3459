import { TaskStatus, uploadDaysRange } from '@pahatid/contract';
import { getCustomerId, type Scope } from '@pahatid/db';
import { findFile, findFileUser, lockFile, readAgain, readFileRejects, removeFile } from '@pahatid/db/queries/files';
import { JOBS_CHANNEL, notify } from '@pahatid/db/queries/notify';
import { hasOriginal } from '@pahatid/db/queries/numbers';
import type { FastifyInstance } from 'fastify';
import { defaultFileLimits } from '../../files/limits.ts';
import { rejectColumns } from '../../files/reject-columns.ts';
import { csvAnswer } from '../../http/csv.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { presentFile } from './present-file.ts';
import { readRows } from './read-rows.ts';
import { cleanName, uploadFile } from './upload-file.ts';

/** Statuses in which a task counts on the file's blocks as they are. */
const bound: readonly TaskStatus[] = [
  TaskStatus.Initialized,
  TaskStatus.ValidationPassed,
  TaskStatus.Confirmed,
  TaskStatus.Preparing,
  TaskStatus.Sending,
  TaskStatus.Completed,
  TaskStatus.Terminated,
  TaskStatus.PendingReview,
];
/** Of the form around the file. */
const multipartOverheadBytes = 64 * 1024;

export function registerFiles(app: FastifyInstance, deps: ApiDeps): void {
  const wakeParser = () => notify(deps.pools.control, JOBS_CHANNEL, 'file');

  serve(app, 'POST /files', async ({ request, scope, user, inScope, audit }) => {
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > defaultFileLimits.maxBytes + multipartOverheadBytes)
      throw new ProblemError('FILE_TOO_LARGE', { limitMb: Math.floor(defaultFileLimits.maxBytes / 1024 ** 2) });
    const part = await request.file().catch((cause: unknown) => {
      throw Object.assign(new ProblemError('FILE_UPLOAD_BROKEN'), { cause });
    });
    if (part === undefined || part.fieldname !== 'file') {
      part?.file.resume();
      throw fieldProblem('file', 'REQUIRED');
    }
    const fileName = cleanName(part.filename);
    try {
      const fileId = await uploadFile({
        pool: deps.pools.control,
        scope: customerScope(scope),
        userId: user.userId,
        fileName,
        bytes: part.file,
      });
      await inScope((tx) =>
        audit(tx, { action: 'upload', subjectType: 'file', subjectId: fileId, after: { fileName } }),
      );
      await wakeParser();
      return { fileId };
    } finally {
      // Browsers read a response only when their whole request is consumed, so the rest after a refusal is read and
      // dropped.
      part.file.resume();
    }
  });

  serve(app, 'GET /files/:fileId', async ({ params, scope, user, inScope }) => {
    const row = await inScope((tx) => findFile(tx, getCustomerId(scope), params.fileId));
    if (row === null) throw new ProblemError('NOT_FOUND');
    return presentFile(row, user);
  });

  serve(app, 'GET /files/:fileId/rows', async ({ params, query, scope, inScope }) => {
    const { customerId } = customerScope(scope);
    return inScope(async (tx) => {
      const row = await findFile(tx, customerId, params.fileId);
      if (row === null) throw new ProblemError('NOT_FOUND');
      if (row.fileStatus === 'processing') throw new ProblemError('FILE_PROCESSING');
      if (row.fileStatus !== 'success') throw new ProblemError('FILE_NOT_USABLE');
      return readRows(tx, { fileId: row.fileId, generation: row.generation }, query.from, query.limit);
    });
  });

  serve(app, 'POST /files/:fileId/read', async ({ params, body, scope, user, inScope, audit }) => {
    const { customerId } = customerScope(scope);
    const { hasHeader, phoneColumn, sheetName } = body;
    const row = await inScope(async (tx) => {
      const before = await lockFile(tx, customerId, params.fileId);
      if (before === null) throw new ProblemError('NOT_FOUND');
      const taskName = await findFileUser(tx, customerId, params.fileId, bound);
      if (taskName !== null) throw new ProblemError('FILE_IN_USE', { taskName });
      const isRead = before.fileStatus === 'success' || before.fileStatus === 'fail';
      if (isRead && !(await hasOriginal(tx, params.fileId)))
        throw new ProblemError('FILE_EXPIRED', { days: Number(before.errorParams?.days ?? uploadDaysRange.usual) });
      const after = await readAgain(tx, customerId, params.fileId, {
        ...(hasHeader !== undefined && { hasHeader }),
        ...(phoneColumn !== undefined && { phoneColumn }),
        ...(sheetName !== undefined && { sheetName }),
      });
      if (after === null) throw new ProblemError('FILE_PROCESSING');
      await audit(tx, {
        action: 'read',
        subjectType: 'file',
        subjectId: params.fileId,
        before: before.reading,
        after: after.reading,
      });
      return after;
    });
    await wakeParser();
    return presentFile(row, user);
  });

  serve(app, 'GET /files/:fileId/rejects', async ({ params, query, scope, inScope, reply }) => {
    const { customerId } = customerScope(scope);
    const row = await inScope((tx) => findFile(tx, customerId, params.fileId));
    if (row === null) throw new ProblemError('NOT_FOUND');
    const file = { fileId: row.fileId, customerId, generation: row.generation };
    reply.header('content-language', query.lang);
    async function* rows() {
      for (let seq = 0; ; seq += 1) {
        const piece = await inScope((tx) => readFileRejects(tx, file, seq));
        if (piece === null) return;
        yield* piece;
      }
    }
    return csvAnswer({
      fileName: `${row.fileName.replace(/\.\w+$/, '')}-rejects`,
      columns: rejectColumns(query.lang),
      rows: rows(),
    });
  });

  serve(app, 'DELETE /files/:fileId', async ({ params, scope, inScope, audit }) => {
    const { customerId } = customerScope(scope);
    await inScope(async (tx) => {
      const row = await lockFile(tx, customerId, params.fileId);
      if (row === null) throw new ProblemError('NOT_FOUND');
      const taskName = await findFileUser(tx, customerId, params.fileId);
      if (taskName !== null) throw new ProblemError('FILE_IN_USE', { taskName });
      await removeFile(tx, customerId, params.fileId);
      await audit(tx, {
        action: 'delete',
        subjectType: 'file',
        subjectId: params.fileId,
        before: { fileName: row.fileName },
      });
    });
    return undefined;
  });
}

/** Routes for a customer's writers are never reached by staff. */
function customerScope(scope: Scope): Scope & { customerId: string } {
  if ('customerId' in scope) return scope;
  throw new ProblemError('FORBIDDEN');
}
