import { type AssignedNumber, UseState } from '@pahatid/contract';
import { getCustomerId, type Scope, uuidV7 } from '@pahatid/db';
import {
  type AssignedNumberRow,
  countAssignedNumbers,
  findAssignedNumber,
  findTaskOfNumber,
  insertAssignedNumber,
  listAssignedNumbers,
  removeAssignedNumber,
  setAssignedNumberUse,
} from '@pahatid/db/queries/assigned-numbers';
import { findCustomerView, lockCustomerApplication } from '@pahatid/db/queries/customer-admin';
import { assignedNumberKind, readAssignedNumber } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import { onConflict } from '../../http/conflicts.ts';
import type { CsvColumn } from '../../http/csv.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';

const SORT = 'numbers';
const TAKEN = { assigned_number_number_key: 'NUMBER_TAKEN' } as const;

const found = <T>(row: T | null): T => {
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
};

export function registerAssignedNumbers(app: FastifyInstance, deps: ApiDeps): void {
  serveList(app, 'GET /numbers', async ({ query, scope, inScope }) => {
    const { name, isReversed } = readOrder(SORT, query.sort, 'number');
    const readPage = (cursor: string | undefined, limit: number) =>
      inScope(async (tx) => {
        const filter = {
          customerId: getCustomerId(scope),
          search: query.search,
          appId: query.appId,
          useState: query.useState === undefined ? undefined : (Number(query.useState) as UseState),
          after: decodeCursor(cursor, name, ['text']),
          isReversed,
          limit: limit + 1,
        };
        const { rows, nextCursor } = toPage(await listAssignedNumbers(tx, filter), limit, name, (row) => [row.number]);
        const items = rows.map((row) => presentNumber(row, scope));
        return { items, nextCursor, total: await countAssignedNumbers(tx, filter) };
      });
    return { fileName: 'numbers', columns: numberColumns, readPage };
  });

  serve(app, 'GET /numbers/:numberId', ({ params, scope, inScope }) =>
    inScope(async (tx) =>
      presentNumber(found(await findAssignedNumber(tx, getCustomerId(scope), params.numberId)), scope),
    ),
  );

  serve(app, 'POST /customers/:customerId/numbers', ({ params: { customerId }, body, user, scope, inScope, audit }) => {
    const { appId, remarkInfo } = body;
    const number = readAssignedNumber(body.number);
    if (number === null) throw fieldProblem('number', 'NUMBER_INVALID');
    // The number of all customers can't be one's own.
    const shared = deps.config.optOutNumber;
    if (shared !== null && readAssignedNumber(shared) === number) throw new ProblemError('NUMBER_TAKEN');
    return onConflict(TAKEN, () =>
      inScope(async (tx) => {
        found(await findCustomerView(tx, customerId));
        if ((await lockCustomerApplication(tx, customerId, appId)) === null)
          throw new ProblemError('APP_NOT_FOUND', { appId });
        const numberId = uuidV7();
        await insertAssignedNumber(tx, { numberId, customerId, appId, number, remarkInfo, assignedBy: user.userId });
        const after = { number, appId, remarkInfo };
        await audit(tx, { customerId, action: 'add', subjectType: 'assignedNumber', subjectId: numberId, after });
        return presentNumber(found(await findAssignedNumber(tx, null, numberId)), scope);
      }),
    );
  });

  for (const [action, useState] of [
    ['enable', UseState.Enabled],
    ['disable', UseState.Disabled],
  ] as const)
    serve(app, `POST /customers/:customerId/numbers/:numberId/${action}`, ({ params, scope, inScope, audit }) =>
      inScope(async (tx) => {
        const { customerId, numberId } = params;
        if (!(await setAssignedNumberUse(tx, customerId, numberId, useState))) throw new ProblemError('NOT_FOUND');
        const row = found(await findAssignedNumber(tx, customerId, numberId));
        const after = { useState };
        await audit(tx, { customerId, action, subjectType: 'assignedNumber', subjectId: numberId, after });
        return presentNumber(row, scope);
      }),
    );

  serve(app, 'DELETE /customers/:customerId/numbers/:numberId', ({ params, inScope, audit }) =>
    inScope(async (tx) => {
      const { customerId, numberId } = params;
      const { number, appId } = found(await findAssignedNumber(tx, customerId, numberId));
      const taskName = await findTaskOfNumber(tx, { customerId, number });
      if (taskName !== null) throw new ProblemError('NUMBER_IN_USE', { taskName });
      if (!(await removeAssignedNumber(tx, customerId, numberId))) throw new ProblemError('NOT_FOUND');
      const before = { number, appId };
      await audit(tx, { customerId, action: 'withdraw', subjectType: 'assignedNumber', subjectId: numberId, before });
      return undefined;
    }),
  );
}

const presentNumber = (row: AssignedNumberRow, scope: Scope): AssignedNumber => ({
  numberId: row.numberId,
  number: row.number,
  kind: assignedNumberKind(row.number),
  appId: row.appId,
  appName: row.appName,
  useState: row.useState,
  remarkInfo: row.remarkInfo,
  assignTime: row.assignTime.toISOString(),
  ...('staff' in scope && { operator: row.customerName, customerId: row.customerId }),
});

const numberColumns: readonly CsvColumn<AssignedNumber>[] = [
  { head: { 'en-US': 'Number', 'zh-CN': '号码' }, value: (row) => row.number },
  { head: { 'en-US': 'Kind', 'zh-CN': '类型' }, value: (row) => row.kind },
  { head: { 'en-US': 'Application', 'zh-CN': '应用' }, value: (row) => row.appName },
  { head: { 'en-US': 'Use status', 'zh-CN': '使用状态' }, value: (row) => row.useState },
  { head: { 'en-US': 'Remarks', 'zh-CN': '备注' }, value: (row) => row.remarkInfo },
  { head: { 'en-US': 'Assigned', 'zh-CN': '分配时间' }, value: (row) => row.assignTime },
];
