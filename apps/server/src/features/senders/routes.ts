import { UseState } from '@pahatid/contract';
import {
  countSenders,
  findSender,
  getCustomerId,
  listSenders,
  type SenderRow,
  setSenderCarrier,
  setSenderUse,
} from '@pahatid/db';
import type { FastifyInstance } from 'fastify';
import { type CursorPart, decodeCursor, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { makeReviewRules } from '../../review-rules/review-rules.ts';
import { presentSender, senderColumns } from './present-sender.ts';
import { submitSender } from './register-sender.ts';

const keyParts: Record<string, readonly CursorPart[]> = {
  '-operateTime': ['time', 'uuid'],
  operateTime: ['time', 'uuid'],
  senderId: ['text', 'uuid'],
};

export function registerSenders(app: FastifyInstance, deps: ApiDeps): void {
  const readRules = makeReviewRules(deps.pools.control);

  serveList(app, 'GET /senders', async ({ query, scope, inScope }) => {
    const { sort } = query;
    const rules = await readRules();
    const keyOf = (row: SenderRow) => [sort === 'senderId' ? row.nameKey : row.operateKey, row.id];
    const readPage = (cursor: string | undefined, limit: number) =>
      inScope(async (tx) => {
        const filter = {
          ...query,
          customerId: getCustomerId(scope),
          useState: query.useState === undefined ? undefined : (Number(query.useState) as UseState),
          sendable: query.sendable === '1',
          after: decodeCursor(cursor, sort, keyParts[sort] ?? []),
          limit: limit + 1,
        };
        const { rows, nextCursor } = toPage(await listSenders(tx, filter), limit, sort, keyOf);
        const items = rows.map((row) => presentSender(row, scope, rules));
        return { items, nextCursor, total: await countSenders(tx, filter) };
      });
    return { fileName: 'sender-ids', columns: senderColumns, readPage };
  });

  serve(app, 'POST /senders', (call) => submitSender(call, readRules));

  serve(app, 'GET /senders/:id', async ({ params: { id }, scope, inScope }) => {
    const rules = await readRules();
    const row = await inScope((tx) => findSender(tx, getCustomerId(scope), id));
    if (row === null) throw new ProblemError('NOT_FOUND');
    return presentSender(row, scope, rules);
  });

  serve(app, 'PUT /reviews/senders/:id/carriers', async ({ params: { id }, body, scope, inScope, audit }) => {
    const rules = await readRules();
    return inScope(async (tx) => {
      const before = await setSenderCarrier(tx, id, body.carrier, body.auditStatus);
      const row = before === null ? null : await findSender(tx, getCustomerId(scope), id);
      if (row === null) throw new ProblemError('NOT_FOUND');
      await audit(tx, {
        action: 'setCarrier',
        customerId: row.customerId,
        subjectType: 'sender',
        subjectId: id,
        before: { carrier: body.carrier, auditStatus: before },
        after: body,
      });
      return presentSender(row, scope, rules);
    });
  });

  for (const [action, useState] of [
    ['enable', UseState.Enabled],
    ['disable', UseState.Disabled],
  ] as const)
    serve(app, `POST /senders/:id/${action}`, async ({ params: { id }, scope, inScope, audit }) => {
      const rules = await readRules();
      const customerId = getCustomerId(scope) ?? '';
      return inScope(async (tx) => {
        const isThere = await setSenderUse(tx, customerId, id, useState);
        const row = isThere ? await findSender(tx, customerId, id) : null;
        if (row === null) throw new ProblemError('NOT_FOUND');
        await audit(tx, { action, subjectType: 'sender', subjectId: id, after: { useState } });
        return presentSender(row, scope, rules);
      });
    });
}
