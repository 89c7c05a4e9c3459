import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type ExportJob, openExportLimit } from '@pahatid/contract';
import { getCustomerId, uuidV7 } from '@pahatid/db';
import { hasApplication } from '@pahatid/db/queries/applications';
import {
  addExport,
  cancelExport,
  countOpenExports,
  deleteExport,
  type ExportRow,
  findExport,
  listExports,
  readExportPart,
} from '@pahatid/db/queries/exports';
import { maskMsisdn } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import { CsvAnswer } from '../../http/csv.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { readPhoneFilter } from '../../http/phone-search.ts';
import { seesPhones } from '../../http/phones.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { readRecordQuery } from '../../http/record-query.ts';
import { serve } from '../../http/serve.ts';
import { findTestView } from '../../http/test-view.ts';
import { isStaffColumn } from './csv-columns.ts';
import { exportFileName } from './export-file-name.ts';

const shownExports = 20;
const unpack = promisify(gunzip);

export function registerExports(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, 'GET /exports', async ({ user, inScope }) => ({
    items: (await inScope((tx) => listExports(tx, user.userId, shownExports))).map(presentExport),
    nextCursor: null,
  }));

  serve(app, 'POST /exports', async (call) => {
    const { user, scope, inScope, audit, lang } = call;
    const { list, query, columns } = call.body;
    const customerId = getCustomerId(scope);
    const exportId = uuidV7();
    const now = deps.now();
    const phones = await readPhoneFilter(app.api, call, query.phoneAddress);
    const view = await findTestView({ user, query }, deps);
    const { filter, fromMs, toMs } = readRecordQuery({ ...query, ...view?.query }, user, phones, now);
    if (view !== null) filter.customerId = getCustomerId(view.scope) ?? undefined;
    const refused = customerId === null ? -1 : (columns ?? []).findIndex(isStaffColumn);
    if (refused >= 0) throw fieldProblem(`columns.${refused}`, 'NOT_AN_OPTION');
    return inScope(async (tx) => {
      const { appId } = query;
      if (customerId !== null && appId !== undefined && !(await hasApplication(tx, customerId, appId)))
        throw new ProblemError('APP_NOT_FOUND', { appId });
      if ((await countOpenExports(tx, user.userId)) >= openExportLimit)
        throw new ProblemError('EXPORT_LIMIT', { limit: openExportLimit });
      await addExport(
        tx,
        { userId: user.userId, customerId },
        {
          exportId,
          // What comes later is not in the file, whenever its last part is written.
          request: { filter, fromMs, toMs: Math.min(toMs, now.getTime()), columns },
          lang,
          masked: !seesPhones(user.role),
          createdAt: now,
        },
      );
      const { phoneAddress } = query;
      await audit(tx, {
        action: 'export',
        subjectType: list,
        subjectId: exportId,
        after: {
          ...query,
          ...(phoneAddress !== undefined && { phoneAddress: maskMsisdn(phoneAddress.replaceAll(/\D/g, '')) }),
          ...(columns !== undefined && { columns }),
        },
      });
      return presentExport((await findExport(tx, user.userId, exportId))!);
    });
  });

  serve(app, 'POST /exports/:exportId/cancel', async ({ params: { exportId }, user, inScope, audit }) =>
    inScope(async (tx) => {
      if ((await findExport(tx, user.userId, exportId)) === null) throw new ProblemError('NOT_FOUND');
      if (!(await cancelExport(tx, user.userId, exportId, deps.now()))) throw new ProblemError('CONFLICT');
      await audit(tx, { action: 'cancel', subjectType: 'export', subjectId: exportId });
      return presentExport((await findExport(tx, user.userId, exportId))!);
    }),
  );

  serve(app, 'DELETE /exports/:exportId', async ({ params: { exportId }, user, inScope, audit }) => {
    await inScope(async (tx) => {
      const found = await findExport(tx, user.userId, exportId);
      if (found === null) throw new ProblemError('NOT_FOUND');
      if (!(await deleteExport(tx, found))) throw new ProblemError('CONFLICT');
      await audit(tx, { action: 'delete', subjectType: 'export', subjectId: exportId });
    });
    return undefined;
  });

  serve(app, 'GET /exports/:exportId/file', async ({ params: { exportId }, user, inScope, audit }) => {
    const found = await inScope(async (tx) => {
      const row = await findExport(tx, user.userId, exportId);
      if (row === null || !isThere(row, deps.now())) throw new ProblemError('NOT_FOUND');
      // Made when its user still saw numbers whole.
      if (!row.masked && !seesPhones(user.role)) throw new ProblemError('NOT_FOUND');
      await audit(tx, { action: 'download', subjectType: 'export', subjectId: exportId });
      return row;
    });
    return new CsvAnswer(
      exportFileName(found.list, found.createdAt),
      async function* lines() {
        for (let seq = 0; seq < found.partCount; seq++) {
          const part = await inScope((tx) => readExportPart(tx, found, seq));
          if (part === null) throw new Error(`part ${seq} of export ${exportId} is gone`);
          yield (await unpack(part)).toString('utf8');
        }
      },
      true,
    );
  });
}

const isThere = (row: ExportRow, now: Date): boolean =>
  row.state === 'ready' && row.expiresAt !== null && row.expiresAt > now;

const presentExport = (row: ExportRow): ExportJob => ({
  exportId: row.exportId,
  list: row.list,
  state: row.state,
  rowCount: row.rowCount,
  byteCount: row.byteCount,
  percent: row.percent,
  createTime: row.createdAt.toISOString(),
  endTime: row.endedAt?.toISOString() ?? null,
  expireTime: row.expiresAt?.toISOString() ?? null,
});
