import { type Conversation, type ConversationEntry, searchedConversations } from '@pahatid/contract';
import {
  findConversation,
  listAssignees,
  listConversations,
  listThread,
  readConversation,
  type ThreadEntry,
} from '@pahatid/db/queries/conversations';
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../../http/call.ts';
import type { CsvColumn } from '../../http/csv.ts';
import { decodeCursor, encodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { readPhoneFilter } from '../../http/phone-search.ts';
import { seesPhones } from '../../http/phones.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { getMessageSending } from '../../messages/message-sending.ts';
import { answerPhone, previewAnswer } from './answer-phone.ts';
import { assignToUser } from './assign-to-user.ts';
import { findOwn, toOwnCustomer } from './find-own.ts';
import { presentConversation, presentEntry } from './present-conversation.ts';

/** Rows read at a time for a csv. */
const exportPage = 1_000;
/** An id that no user has. */
const noUser = '00000000-0000-0000-0000-000000000000';
/** Before the first page: above every id. */
const newest = { messageId: '9'.repeat(18), inboundId: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

export function registerConversations(app: FastifyInstance, deps: ApiDeps): void {
  const sending = getMessageSending(app, deps);

  serve(app, 'POST /conversations/:conversationId/messages', (call) => answerPhone(call, sending));

  serve(app, 'POST /conversations/:conversationId/messages/preview', (call) => previewAnswer(call, sending));

  serveList(app, 'GET /conversations', async (call) => {
    const { query, user, scope, inDataScope, toShownAppId } = call;
    const filter = {
      customerId: toOwnCustomer(scope),
      ...(await readPhoneFilter(app.api, call, query.mobileNumber)),
      ...readTextFilter(user, query.text),
      searched: searchedConversations,
      isUnread: query.unread === '1',
      ...readAssigneeFilter(user, query.assigned),
      appId: query.appId,
    };
    const { name, isReversed } = readOrder('conversations', query.sort, '-lastTime');
    const readPage = async (cursor: string | undefined, limit: number) => {
      const after = decodeCursor(cursor, name, ['uuid']);
      const found = await inDataScope((tx) =>
        listConversations(tx, { ...filter, after, isReversed, limit: limit + 1 }),
      );
      const { rows, nextCursor } = toPage(found, limit, name, (row) => [row.lastInboundId]);
      return { items: rows.map((row) => presentConversation(row, user, toShownAppId)), nextCursor };
    };
    return { fileName: 'conversations', columns, csvPage: exportPage, readPage };
  });

  serve(app, 'GET /conversations/:conversationId', async (call) =>
    presentConversation(await findOwn(call), call.user, call.toShownAppId),
  );

  serve(app, 'PATCH /conversations/:conversationId', assignToUser);

  serve(app, 'GET /conversation-assignees', async ({ scope, inScope }) => ({
    assignees: await inScope((tx) => listAssignees(tx, toOwnCustomer(scope))),
  }));

  serveList(app, 'GET /conversations/:conversationId/entries', async (call) => {
    const { user, scope, inDataScope } = call;
    const { appId, msisdn } = await findOwn(call);
    const of = { customerId: toOwnCustomer(scope), appId, msisdn };
    const readPage = async (cursor: string | undefined, limit: number) => {
      const key = decodeCursor(cursor, 'thread', ['messageId', 'uuid']);
      const before = key === null ? null : { messageId: key[0] ?? '', inboundId: key[1] ?? '' };
      const found = await inDataScope((tx) => listThread(tx, { ...of, before, limit: limit + 1 }));
      const entries = found.slice(0, limit);
      const nextCursor = found.length > limit ? encodeCursor('thread', lastKey(entries, before ?? newest)) : null;
      return { items: entries.map((entry) => presentEntry(entry, user)), nextCursor };
    };
    return { fileName: 'conversation', columns: entryColumns, csvPage: exportPage, readPage };
  });

  serve(app, 'POST /conversations/:conversationId/read', async (call) => {
    const { scope, params, body, user, inDataScope, toShownAppId } = call;
    const customerId = toOwnCustomer(scope);
    const row = await inDataScope(async (tx) =>
      (await readConversation(tx, customerId, params.conversationId, body.inboundId))
        ? findConversation(tx, customerId, params.conversationId)
        : null,
    );
    if (row === null) throw new ProblemError('NOT_FOUND');
    return presentConversation(row, user, toShownAppId);
  });
}

/**
 * A user that sees digits of texts masked finds no text by them, because they could be found by trial.
 */
const readTextFilter = (user: Caller, text: string | undefined): { text?: string | null } =>
  text === undefined || text === '' ? {} : { text: seesPhones(user.role) || !/\p{Nd}/u.test(text) ? text : null };

/** Software is no user: nothing is assigned to it. */
function readAssigneeFilter(user: Caller, assigned: 'me' | 'none' | undefined): { assigneeId?: string | null } {
  if (assigned === undefined) return {};
  return { assigneeId: assigned === 'none' ? null : (user.userId ?? noUser) };
}

/** The oldest of each kind so far. */
function lastKey(entries: readonly ThreadEntry[], before: typeof newest): [string, string] {
  let { messageId, inboundId } = before;
  for (const entry of entries) {
    if ('reply' in entry) inboundId = entry.reply.inboundId;
    else messageId = entry.message.messageId;
  }
  return [messageId, inboundId];
}

const head = (zh: string, en: string) => ({ 'zh-CN': zh, 'en-US': en });

const columns: readonly CsvColumn<Conversation>[] = [
  { head: head('最后回复时间', 'Last reply'), value: (row) => row.lastTime },
  { head: head('手机号码', 'Phone number'), value: (row) => row.mobileNumber },
  { head: head('内容', 'Text'), value: (row) => row.lastText },
  { head: head('未读', 'Unread'), value: (row) => row.unread },
  { head: head('是否退订', 'Opt-out'), value: (row) => row.optOut },
  { head: head('回复至', 'Sent to'), value: (row) => row.destination },
  { head: head('App ID', 'App ID'), value: (row) => row.appId },
];

const entryColumns: readonly CsvColumn<ConversationEntry>[] = [
  { head: head('时间', 'Time'), value: (row) => row.time },
  { head: head('类型', 'Kind'), value: (row) => row.kind },
  { head: head('内容', 'Text'), value: (row) => row.content },
  { head: head('短信 ID', 'Message ID'), value: (row) => (row.kind === 'message' ? row.messageId : null) },
  { head: head('状态', 'Status'), value: (row) => (row.kind === 'message' ? row.clientStatus : null) },
];
