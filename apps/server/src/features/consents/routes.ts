/** Evidence that phones agreed to marketing: recorded by hand, by file and by software, looked up, withdrawn. */
import { type Consent, evidenceLimitBytes } from '@pahatid/contract';
import { getCustomerId, type Scope, uuidV7 } from '@pahatid/db';
import {
  addConsents,
  type ConsentRow,
  findEvidenceFile,
  insertEvidence,
  listConsents,
  type NewEvidence,
  withdrawConsents,
} from '@pahatid/db/queries/consents';
import { findImport, insertImport, listImports } from '@pahatid/db/queries/imports';
import { JOBS_CHANNEL, notify } from '@pahatid/db/queries/notify';
import { maskMsisdn, parseMsisdn } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../../http/call.ts';
import { type CsvColumn, column } from '../../http/csv.ts';
import { decodeCursor, openCursor, readOrder, sealCursor, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { readPhoneFilter } from '../../http/phone-search.ts';
import { phoneFor, seesPhones } from '../../http/phones.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { readAttachment } from '../../http/read-attachment.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { findReadFile } from '../../imports/find-read-file.ts';
import { presentImport } from '../../imports/present-import.ts';
import { readNumbers } from '../../imports/read-numbers.ts';
import { registerMarketingPolicy } from './marketing-policy.ts';

/** Rows read at a time for a csv. */
const exportPage = 1_000;
/** Of the clock of the software that records a consent. */
const clockSkewMs = 60_000;

export function registerConsents(app: FastifyInstance, deps: ApiDeps): void {
  registerMarketingPolicy(app);

  serveList(app, 'GET /consents', async (call) => {
    const { query, scope, user, inScope } = call;
    const phones = await readPhoneFilter(app.api, call, query.mobileNumber);
    const isMasked = !seesPhones(user.role);
    const { name, isReversed } = readOrder(isMasked ? 'maskedConsents' : 'consents', query.sort, '-createTime');
    const salt = isMasked ? deps.secrets.orderSalt('consents') : null;
    const { source, state } = query;
    const readPage = async (cursor: string | undefined, limit: number) => {
      const after = decodeCursor(openCursor(deps.secrets, cursor), name, ['time', 'text']) as [string, string] | null;
      const filter = { customerId: getCustomerId(scope), ...phones, source, state, salt, after, isReversed };
      const rows = await inScope((tx) => listConsents(tx, { ...filter, limit: limit + 1 }));
      const page = toPage(rows, limit, name, (row) => [row.createdKey, row.tieKey]);
      return {
        items: page.rows.map((row) => presentConsent(row, user)),
        nextCursor: sealCursor(deps.secrets, page.nextCursor),
      };
    };
    return { fileName: 'consents', columns: consentColumns, csvPage: exportPage, readPage };
  });

  serve(app, 'POST /consents', async ({ body, scope, user, inScope, audit }) => {
    const { customerId } = customerScope(scope);
    const givenAt = readGivenTime(body.givenTime, deps.now());
    const evidence = readEvidence(body, customerId, user);
    const { valid, rejected, repeatedCount } = readNumbers(body.mobileNumbers, (each) => each);
    if (valid.length === 0) return { addedCount: 0, keptCount: 0, rejected };
    return inScope(async (tx) => {
      await insertEvidence(tx, evidence);
      const consents = valid.map(({ msisdn }) => ({ msisdn, givenAt }));
      const addedCount = await addConsents(tx, { customerId, evidenceId: evidence.evidenceId, consents });
      await audit(tx, {
        action: 'add',
        subjectType: 'consent',
        subjectId: evidence.evidenceId,
        after: { ...describe(evidence), givenTime: body.givenTime, addedCount, rejectedCount: rejected.length },
      });
      return { addedCount, keptCount: valid.length - addedCount + repeatedCount, rejected };
    });
  });

  serve(app, 'POST /consents/import', async ({ body, scope, user, inScope, audit }) => {
    const { customerId } = customerScope(scope);
    const givenAt = readGivenTime(body.givenTime, deps.now());
    const evidence = readEvidence(body, customerId, user);
    const { evidenceId } = evidence;
    const importId = uuidV7();
    const row = await inScope(async (tx) => {
      const file = await findReadFile(tx, customerId, body.fileId);
      if (body.timeColumn !== undefined && body.timeColumn >= file.columns.length)
        throw fieldProblem('timeColumn', 'NOT_AN_OPTION');
      await insertEvidence(tx, evidence);
      await insertImport(tx, {
        importId,
        customerId,
        groupId: null,
        kind: 'consent',
        fileId: body.fileId,
        params: {
          evidenceId,
          givenAt: givenAt.toISOString(),
          generation: file.generation,
          ...(body.timeColumn !== undefined && { timeColumn: body.timeColumn }),
        },
        totalCount: file.validCount,
        createdBy: user.userId,
      });
      await audit(tx, {
        action: 'import',
        subjectType: 'consent',
        subjectId: evidenceId,
        after: { ...describe(evidence), fileName: file.fileName, validCount: file.validCount },
      });
      return findImport(tx, customerId, importId);
    });
    if (row === null) throw new Error(`import ${importId} is gone`);
    await notify(deps.pools.control, JOBS_CHANNEL, 'import');
    return presentImport(row);
  });

  serve(app, 'GET /consents/imports', async ({ scope, inScope }) => ({
    items: (await inScope((tx) => listImports(tx, getCustomerId(scope), 'consent'))).map(presentImport),
    nextCursor: null,
  }));

  serve(app, 'POST /consents/withdraw', async ({ body, scope, inScope, audit }) => {
    const { customerId } = customerScope(scope);
    const number = parseMsisdn(body.mobileNumber);
    if (!number.ok) throw new ProblemError('MOBILE_NUMBER_INVALID', { reason: number.reason });
    await inScope(async (tx) => {
      if ((await withdrawConsents(tx, customerId, [number.msisdn])) === 0) throw new ProblemError('NOT_FOUND');
      await audit(tx, {
        action: 'withdraw',
        subjectType: 'consent',
        subjectId: customerId,
        before: { mobileNumber: maskMsisdn(number.msisdn) },
        after: { reason: body.reason },
      });
    });
    return undefined;
  });

  serve(app, 'GET /consents/:evidenceId/file', async ({ params, scope, inScope }) => {
    const { customerId } = customerScope(scope);
    const file = await inScope((tx) => findEvidenceFile(tx, customerId, params.evidenceId));
    if (file === null) throw new ProblemError('NOT_FOUND');
    return file;
  });
}

function readGivenTime(given: string, now: Date): Date {
  const at = new Date(given);
  if (at.getTime() > now.getTime() + clockSkewMs) throw fieldProblem('givenTime', 'INVALID');
  return at;
}

type GivenEvidence = Pick<NewEvidence, 'source' | 'wording'> & {
  file?: { name: string; content: string } | undefined;
};

const readEvidence = (body: GivenEvidence, customerId: string, user: Caller): NewEvidence => ({
  customerId,
  evidenceId: uuidV7(),
  source: body.source,
  wording: body.wording,
  file: body.file === undefined ? null : readAttachment(body.file, 'file', evidenceLimitBytes),
  addedBy: user.userId,
});

/** For the audit log. */
const describe = ({ source, wording, file }: NewEvidence) => ({ source, wording, evidenceFile: file?.name ?? null });

const presentConsent = (row: ConsentRow, user: Caller): Consent => ({
  evidenceId: row.evidenceId,
  mobileNumber: phoneFor(user, row.msisdn),
  source: row.source,
  givenTime: row.givenAt.toISOString(),
  wording: row.wording,
  fileName: row.fileName,
  addedBy: row.addedBy,
  createTime: row.createdAt.toISOString(),
  withdrawTime: row.withdrawnAt?.toISOString() ?? null,
});

const consentColumns: readonly CsvColumn<Consent>[] = [
  column('手机号码', 'Phone number', (row) => row.mobileNumber),
  column('来源', 'Source', (row) => row.source),
  column('同意时间', 'Consent given', (row) => row.givenTime),
  column('同意内容', 'Text agreed to', (row) => row.wording),
  column('文件', 'File', (row) => row.fileName),
  column('添加人', 'Added by', (row) => row.addedBy),
  column('登记时间', 'Recorded', (row) => row.createTime),
  column('撤回时间', 'Withdrawn', (row) => row.withdrawTime),
];

/** Routes for a customer's writers are never reached by staff. */
function customerScope(scope: Scope): { customerId: string } {
  if ('customerId' in scope) return scope;
  throw new ProblemError('FORBIDDEN');
}
