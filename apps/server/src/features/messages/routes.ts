import { SendStatus } from '@pahatid/contract';
import { listCallbacksOfMessage } from '@pahatid/db/queries/callback-log';
import { noteConversion } from '@pahatid/db/queries/message-conversions';
import { findMessageExtra, listMessageExtras } from '@pahatid/db/queries/message-extras';
import { findMessageHold } from '@pahatid/db/queries/message-holds';
import { findRecord, listRecords } from '@pahatid/db/queries/records';
import { manilaHour } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import { presentCallbackEvent } from '../../callbacks/present-callback.ts';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { toPhonePrefix } from '../../http/phone-search.ts';
import { ProblemError } from '../../http/problem.ts';
import { readRecordQuery } from '../../http/record-query.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { getMessageSending } from '../../messages/message-sending.ts';
import { presentHold } from '../../messages/present-hold.ts';
import { previewMessage } from '../../messages/preview-message.ts';
import { sendMessages } from '../../messages/send-messages.ts';
import { cancelOwn } from './cancel-own.ts';
import { messageColumns } from './csv-columns.ts';
import { presentLife, presentMessage } from './present-life.ts';

/** Rows read at a time for a csv. */
const exportPage = 2_000;

export function registerMessages(app: FastifyInstance, deps: ApiDeps): void {
  const sending = getMessageSending(app, deps);

  serve(app, 'POST /messages', (call) => sendMessages(call, sending));

  serve(app, 'POST /messages/preview', ({ body, application }) => previewMessage(body, application, sending));

  serve(app, 'POST /messages/:messageId/conversion', async ({ params, application, inDataScope }) => {
    const { appId, customerId } = application;
    const isCode = await inDataScope((tx) => noteConversion(tx, { customerId, appId, ...params }));
    if (!isCode) throw new ProblemError('NOT_FOUND');
    return undefined;
  });

  serve(app, 'GET /messages/:messageId', async ({ params, application, inDataScope }) => {
    const { appId, customerId, isTest } = application;
    const {
      row,
      extra,
      callbacks: own,
    } = await inDataScope(async (tx) => {
      const found = await findRecord(tx, [customerId], params.messageId);
      if (found === null || found.appId !== appId) throw new ProblemError('NOT_FOUND');
      return {
        row: found,
        extra: await findMessageExtra(tx, customerId, found.messageId),
        callbacks: isTest ? null : await listCallbacksOfMessage(tx, customerId, found.messageId),
      };
    });
    // Those of test mode went to the address of the live application, which its scope does not show.
    const callbacks = own ?? (await listCallbacksOfMessage(sending.control, customerId, row.messageId));
    const isWaiting = row.sendStatus === SendStatus.Waiting;
    const now = deps.now();
    const hold = isWaiting ? await findMessageHold(sending.control, customerId, row.messageId, manilaHour(+now)) : null;
    return presentLife(row, extra, presentHold(hold, now), callbacks.map(presentCallbackEvent));
  });

  serve(app, 'DELETE /messages/:messageId', async (call) => {
    await cancelOwn(call, sending);
    return undefined;
  });

  serveList(app, 'GET /messages', async ({ query, application, inDataScope }) => {
    const { appId, customerId } = application;
    const { phoneAddress = '', ...rest } = query;
    const msisdnPrefix = toPhonePrefix(phoneAddress);
    const phones = msisdnPrefix === undefined ? {} : { msisdnPrefix };
    const { filter, fromMs, toMs } = readRecordQuery({ ...rest, appId }, application, phones, deps.now());
    const readPage = async (cursor: string | undefined, limit: number) => {
      const before = decodeCursor(cursor, 'messages', ['messageId'])?.[0] ?? null;
      const { page, extras } = await inDataScope(async (tx) => {
        const found = await listRecords(tx, [customerId], filter, { fromMs, toMs, before, limit });
        const ids = found.rows.map((row) => row.messageId);
        return { page: found, extras: await listMessageExtras(tx, customerId, ids) };
      });
      return {
        items: page.rows.map((row) => presentMessage(row, extras.get(row.messageId) ?? null)),
        nextCursor: page.next === null ? null : encodeCursor('messages', [page.next]),
        searchedTo: page.searchedTo?.toISOString() ?? null,
      };
    };
    return { fileName: 'messages', columns: messageColumns, csvPage: exportPage, readPage };
  });
}
