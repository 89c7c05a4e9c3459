import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type ExportJob, openExportLimit, type RouteKey } from '@pahatid/contract';
import { getCustomerId, type Scope, uuidV7 } from '@pahatid/db';
import { hasApplication } from '@pahatid/db/queries/applications';
import {
  addExport,
  cancelExport,
  countOpenExports,
  deleteExport,
  type ExportOwner,
  type ExportReader,
  type ExportRow,
  findExport,
  listExports,
  readExportPart,
} from '@pahatid/db/queries/exports';
import { maskMsisdn } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import type { Call, Caller } from '../../http/call.ts';
import { CsvAnswer } from '../../http/csv.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { readPhoneFilter } from '../../http/phone-search.ts';
import { seesPhones } from '../../http/phones.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { readRecordQuery } from '../../http/record-query.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { findTestView } from '../../http/test-view.ts';
import { exportColumns, isStaffColumn } from './csv-columns.ts';
import { exportFileName } from './export-file-name.ts';

const SORT = 'exports';
const unpack = promisify(gunzip);

export function registerExports(app: FastifyInstance, deps: ApiDeps): void {
  serveList(app, 'GET /exports', async (call) => {
    const { name, isReversed } = readOrder(SORT, call.query.sort, '-createTime');
    return {
      fileName: 'exports',
      columns: exportColumns,
      readPage: (cursor, limit) =>
        call.inScope(async (tx) => {
          const page = { after: decodeCursor(cursor, name, ['uuid']), isDescending: !isReversed, limit: limit + 1 };
          const listed = await listExports(tx, readerOf(call), page);
          const { rows, nextCursor } = toPage(listed, limit, name, (row) => [row.exportId]);
          return { items: rows.map((row) => presentExport(row, call)), nextCursor };
        }),
    };
  });

  serve(app, 'GET /exports/:exportId', (call) =>
    call.inScope(async (tx) => presentExport(await mustFind(tx, call, call.params.exportId), call)),
  );

  serve(app, 'POST /exports', async (call) => {
    const { user, scope, inScope, audit, lang, toStoredAppId } = call;
    const { list, columns } = call.body;
    const { appId } = call.body.query;
    const query = { ...call.body.query, ...(appId !== undefined && { appId: toStoredAppId(appId) }) };
    const owner = ownerOf(call);
    const customerId = getCustomerId(scope);
    const exportId = uuidV7();
    const now = deps.now();
    const phones = await readPhoneFilter(app.api, call, query.phoneAddress);
    const view = await findTestView({ user, query }, call.request, deps);
    const { filter, fromMs, toMs } = readRecordQuery({ ...query, ...view?.query }, user, phones, now);
    if (view !== null) filter.customerId = getCustomerId(view.scope) ?? undefined;
    if ('appId' in owner) filter.appId ??= owner.appId;
    const refused = customerId === null ? -1 : (columns ?? []).findIndex(isStaffColumn);
    if (refused >= 0) throw fieldProblem(`columns.${refused}`, 'NOT_AN_OPTION');
    return inScope(async (tx) => {
      if (customerId !== null && query.appId !== undefined && !(await hasApplication(tx, customerId, query.appId)))
        throw new ProblemError('APP_NOT_FOUND', { appId: query.appId });
      if ((await countOpenExports(tx, owner)) >= openExportLimit)
        throw new ProblemError('EXPORT_LIMIT', { limit: openExportLimit });
      await addExport(tx, owner, {
        exportId,
        // What comes later is not in the file, whenever its last part is written.
        request: { filter, fromMs, toMs: Math.min(toMs, now.getTime()), columns },
        lang,
        masked: !seesPhones(user.role),
        createdAt: now,
      });
      const { phoneAddress } = query;
      await audit(tx, {
        action: 'export',
        subjectType: list,
        subjectId: exportId,
        after: {
          ...call.body.query,
          ...(phoneAddress !== undefined && { phoneAddress: maskMsisdn(phoneAddress.replaceAll(/\D/g, '')) }),
          ...(columns !== undefined && { columns }),
        },
      });
      return presentExport(await mustFind(tx, call, exportId), call);
    });
  });

  serve(app, 'POST /exports/:exportId/cancel', async (call) =>
    call.inScope(async (tx) => {
      const { exportId } = await mustFind(tx, call, call.params.exportId);
      if (!(await cancelExport(tx, exportId, deps.now()))) throw new ProblemError('CONFLICT');
      await call.audit(tx, { action: 'cancel', subjectType: 'export', subjectId: exportId });
      return presentExport(await mustFind(tx, call, exportId), call);
    }),
  );

  serve(app, 'DELETE /exports/:exportId', async (call) => {
    await call.inScope(async (tx) => {
      const found = await mustFind(tx, call, call.params.exportId);
      if (!(await deleteExport(tx, found))) throw new ProblemError('CONFLICT');
      await call.audit(tx, { action: 'delete', subjectType: 'export', subjectId: found.exportId });
    });
    return undefined;
  });

  serve(app, 'GET /exports/:exportId/file', async (call) => {
    const { user, inScope, audit } = call;
    const { exportId } = call.params;
    const found = await inScope(async (tx) => {
      const row = await mustFind(tx, call, exportId);
      if (!isThere(row, deps.now())) throw new ProblemError('NOT_FOUND');
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

interface Asking {
  readonly user: Caller;
  readonly scope: Scope;
}

function ownerOf({ user, scope }: Asking): ExportOwner {
  if (user.userId !== null) return { userId: user.userId, customerId: getCustomerId(scope) };
  if (!('appId' in scope) || scope.appId === undefined) throw new Error('software has an application');
  return { appId: scope.appId, customerId: scope.customerId };
}

/** Files of software have whole numbers: they are listed for people that see these. */
const readerOf = (call: Asking): ExportReader => ({ ...ownerOf(call), seesSoftware: seesPhones(call.user.role) });

async function mustFind(tx: PoolClient, call: Asking, exportId: string): Promise<ExportRow> {
  const row = await findExport(tx, readerOf(call), exportId);
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
}

const presentExport = (row: ExportRow, { toShownAppId }: Pick<Call<RouteKey>, 'toShownAppId'>): ExportJob => ({
  exportId: row.exportId,
  list: row.list,
  appId: row.appId === null ? null : toShownAppId(row.appId),
  state: row.state,
  rowCount: row.rowCount,
  byteCount: row.byteCount,
  percent: row.percent,
  createTime: row.createdAt.toISOString(),
  endTime: row.endedAt?.toISOString() ?? null,
  expireTime: row.expiresAt?.toISOString() ?? null,
});
