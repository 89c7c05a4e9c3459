import type { OptOut } from '@pahatid/contract';
import { getCustomerId, type Scope, uuidV7 } from '@pahatid/db';
import { findImport, insertImport, listImports } from '@pahatid/db/queries/imports';
import { JOBS_CHANNEL, notify } from '@pahatid/db/queries/notify';
import {
  addOptOuts,
  listOptOuts,
  type OptOutRow,
  removeErasedOptOut,
  removeOptOut,
} from '@pahatid/db/queries/opt-outs';
import { maskMsisdn, parseMsisdn } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../../http/call.ts';
import type { CsvColumn } from '../../http/csv.ts';
import { decodeCursor, openCursor, readOrder, sealCursor, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { readPhoneFilter } from '../../http/phone-search.ts';
import { phoneFor, seesPhones, textFor } from '../../http/phones.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { findReadFile } from '../../imports/find-read-file.ts';
import { presentImport } from '../../imports/present-import.ts';
import { readNumbers } from '../../imports/read-numbers.ts';

/** Rows read at a time for a csv. */
const exportPage = 1_000;

export function registerOptOuts(app: FastifyInstance, deps: ApiDeps): void {
  serveList(app, 'GET /opt-outs', async (call) => {
    const { query, scope, user, inScope } = call;
    const phones = await readPhoneFilter(app.api, call, query.mobileNumber);
    const isMasked = !seesPhones(user.role);
    const { name, isReversed } = readOrder(isMasked ? 'maskedOptOuts' : 'optOuts', query.sort, '-time');
    const salt = isMasked ? deps.secrets.orderSalt('opt-outs') : null;
    const readPage = async (cursor: string | undefined, limit: number) => {
      const after = decodeCursor(openCursor(deps.secrets, cursor), name, ['time', 'text']) as [string, string] | null;
      const filter = { customerId: getCustomerId(scope), ...phones, source: query.source, salt, after, isReversed };
      const rows = await inScope((tx) => listOptOuts(tx, { ...filter, limit: limit + 1 }));
      const page = toPage(rows, limit, name, (row) => [row.createdKey, row.tieKey]);
      return {
        items: page.rows.map((row) => presentOptOut(row, user)),
        nextCursor: sealCursor(deps.secrets, page.nextCursor),
      };
    };
    return { fileName: 'opt-outs', columns: optOutColumns, csvPage: exportPage, readPage };
  });

  serve(app, 'POST /opt-outs', async ({ body, scope, user, inScope, audit }) => {
    const { customerId } = customerScope(scope);
    const { valid, rejected, repeatedCount } = readNumbers(body.mobileNumbers, (each) => each);
    return inScope(async (tx) => {
      const addedCount = await addOptOuts(tx, {
        customerId,
        msisdns: valid.map((each) => each.msisdn),
        source: 'hand',
        evidence: body.evidence,
        addedBy: user.userId,
      });
      await audit(tx, {
        action: 'add',
        subjectType: 'optOut',
        subjectId: customerId,
        after: { addedCount, rejectedCount: rejected.length, evidence: body.evidence },
      });
      return { addedCount, keptCount: valid.length - addedCount + repeatedCount, rejected };
    });
  });

  serve(app, 'POST /opt-outs/remove', async ({ body, scope, inScope, audit }) => {
    const { customerId } = customerScope(scope);
    const number = parseMsisdn(body.mobileNumber);
    if (!number.ok) throw new ProblemError('MOBILE_NUMBER_INVALID', { reason: number.reason });
    const { msisdn } = number;
    await inScope(async (tx) => {
      const before = await removeOptOut(tx, customerId, msisdn);
      const wasErased = await removeErasedOptOut(tx, customerId, deps.secrets.hashNumber(customerId, msisdn));
      if (before === null && !wasErased) throw new ProblemError('NOT_FOUND');
      await audit(tx, {
        action: 'remove',
        subjectType: 'optOut',
        subjectId: customerId,
        before: {
          mobileNumber: maskMsisdn(msisdn),
          ...(before !== null && {
            source: before.source,
            evidence: before.evidence,
            time: before.createdAt.toISOString(),
          }),
        },
        after: { reason: body.reason },
      });
    });
    return undefined;
  });

  serve(app, 'POST /opt-outs/import', async ({ body, scope, user, inScope, audit }) => {
    const { customerId } = customerScope(scope);
    const importId = uuidV7();
    const row = await inScope(async (tx) => {
      const file = await findReadFile(tx, customerId, body.fileId);
      await insertImport(tx, {
        importId,
        customerId,
        groupId: null,
        kind: 'optOut',
        fileId: body.fileId,
        params: { evidence: body.evidence === '' ? file.fileName : body.evidence, generation: file.generation },
        totalCount: file.validCount,
        createdBy: user.userId,
      });
      await audit(tx, {
        action: 'import',
        subjectType: 'optOut',
        subjectId: customerId,
        after: { fileName: file.fileName, validCount: file.validCount, evidence: body.evidence },
      });
      return findImport(tx, customerId, importId);
    });
    if (row === null) throw new Error(`import ${importId} is gone`);
    await notify(deps.pools.control, JOBS_CHANNEL, 'import');
    return presentImport(row);
  });

  serve(app, 'GET /opt-outs/imports', async ({ scope, inScope }) => ({
    items: (await inScope((tx) => listImports(tx, getCustomerId(scope), 'optOut'))).map(presentImport),
    nextCursor: null,
  }));
}

/** Converts an entry into the contract's type; text from a phone may contain numbers. */
const presentOptOut = (row: OptOutRow, user: Caller): OptOut => ({
  mobileNumber: phoneFor(user, row.msisdn),
  source: row.source,
  evidence: row.evidence === null ? null : textFor(user, row.evidence),
  addedBy: row.addedBy,
  time: row.createdAt.toISOString(),
});

const head = (zh: string, en: string) => ({ 'zh-CN': zh, 'en-US': en });

const optOutColumns: readonly CsvColumn<OptOut>[] = [
  { head: head('手机号码', 'Phone number'), value: (row) => row.mobileNumber },
  { head: head('来源', 'Source'), value: (row) => row.source },
  { head: head('凭证', 'Evidence'), value: (row) => row.evidence },
  { head: head('添加人', 'Added by'), value: (row) => row.addedBy },
  { head: head('时间', 'Time'), value: (row) => row.time },
];

/** Routes for a customer's writers are never reached by staff. */
function customerScope(scope: Scope): { customerId: string } {
  if ('customerId' in scope) return scope;
  throw new ProblemError('FORBIDDEN');
}
