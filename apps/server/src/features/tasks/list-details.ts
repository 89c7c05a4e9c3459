import type { SendDetail } from '@pahatid/contract';
import { listSendDetails, type SendDetailRow } from '@pahatid/db/queries/task-details';
import { getDealResult } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { Call, Caller } from '../../http/call.ts';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { readPhoneFilter } from '../../http/phone-search.ts';
import { phoneFor } from '../../http/phones.ts';
import { mustFind } from './act-on-task.ts';
import { detailColumns } from './csv-columns.ts';

/** How long to search for rows that pass a filter, before the page returns where to continue; milliseconds. */
const searchMs = 3_000;
/** Rows read at a time for a csv: each read begins by sorting twenty batches. */
const csvPage = 5_000;

export async function listDetails(api: FastifyInstance['api'], call: Call<'GET /tasks/:taskId/details'>) {
  const { params, query, user, inScope } = call;
  const task = await inScope((tx) => mustFind(tx, call, params.taskId));
  const phones = await readPhoneFilter(api, call, query.mobileNumber);
  const filter = {
    customerId: task.customerId,
    taskId: task.taskId,
    ...phones,
    sendStatus: query.sendStatus,
    clientStatus: query.clientStatus,
    dealResult: query.dealResult,
  };
  const readPage = async (cursor: string | undefined, limit: number) => {
    const rows: SendDetailRow[] = [];
    let next: string | null = decodeCursor(cursor, 'details', ['messageId'])?.[0] ?? null;
    const until = performance.now() + searchMs;
    // One read is bounded: a search for a single phone in a large task must return a result, not the position where
    // the read stopped.
    do {
      const after = next;
      const found = await inScope((tx) => listSendDetails(tx, { ...filter, after, limit: limit - rows.length }));
      rows.push(...found.rows);
      next = found.next;
    } while (rows.length < limit && next !== null && performance.now() < until);
    const nextCursor = next === null ? null : encodeCursor('details', [next]);
    return { items: rows.map((row) => presentDetail(row, user)), nextCursor };
  };
  return { fileName: `${task.taskName}-details`, columns: detailColumns, csvPage, readPage };
}

function presentDetail(row: SendDetailRow, user: Caller): SendDetail {
  const sendStatus = (row.unconfirmed ? 1 : row.sendStatus) as SendDetail['sendStatus'];
  const clientStatus = row.clientStatus as SendDetail['clientStatus'];
  return {
    messageId: row.messageId,
    mobileNumber: phoneFor(user, row.msisdn),
    sendStatus,
    clientStatus,
    dealResult: getDealResult({ sendStatus, clientStatus, dealResult: row.dealResult, unconfirmed: row.unconfirmed }),
    carrierCode: row.carrierCode,
    sendTime: row.submittedAt?.toISOString() ?? null,
    reportTime: row.reportAt?.toISOString() ?? null,
    pkgTotal: row.pkgTotal,
  };
}
