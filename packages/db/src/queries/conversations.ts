/**
 * Conversations: replies by phone and application. A row has the last reply and how many are unread; it changes in the
 * transaction that stores a reply, so it counts each once.
 */
import { messageIdMs, uuidFloor, uuidMs } from '../ids.ts';
import { pageBy } from '../keyset.ts';
import { type Db, type Fragment, many, maybe, run, sql } from '../sql.ts';
import { listKeywordAnswers } from './keyword-answers.ts';
import { messagesTo } from './message-archive.ts';
import { endsWith, shownContent } from './shown-messages.ts';

/** Characters of the last reply that the list shows. */
const shownLength = 200;

interface NewReply {
  customerId: string;
  appId: string;
  msisdn: string;
  inboundId: string;
  receivedMs: number;
  content: string;
  destination: string;
  isOptOut: boolean;
}

/** Counts a reply that has just been stored. It is the last one unless one with a higher id is there already. */
export const noteReply = async (tx: Db, reply: NewReply): Promise<void> => {
  const isNewer = sql`excluded.last_inbound_id > c.last_inbound_id`;
  await run(
    tx,
    sql`insert into conversation as c (customer_id, conversation_id, app_id, msisdn, last_inbound_id, last_at, last_text,
          last_destination, last_is_opt_out, unread_count)
        values (${reply.customerId}, ${reply.inboundId}, ${reply.appId}, ${reply.msisdn}, ${reply.inboundId},
          ${new Date(reply.receivedMs)}, ${shorten(reply.content)}, ${reply.destination}, ${reply.isOptOut}, 1)
        on conflict (customer_id, app_id, msisdn) do update set unread_count = c.unread_count + 1,
          last_at = case when ${isNewer} then excluded.last_at else c.last_at end,
          last_text = case when ${isNewer} then excluded.last_text else c.last_text end,
          last_destination = case when ${isNewer} then excluded.last_destination else c.last_destination end,
          last_is_opt_out = case when ${isNewer} then excluded.last_is_opt_out else c.last_is_opt_out end,
          last_inbound_id = greatest(c.last_inbound_id, excluded.last_inbound_id)`,
  );
};

/** Cut between characters, never inside one. */
const shorten = (content: string): string => [...content.slice(0, shownLength * 2)].slice(0, shownLength).join('');

/** The last reply was completed by a part that came later. */
export const noteRewrittenReply = async (
  tx: Db,
  reply: { customerId: string; inboundId: string; content: string; isOptOut: boolean },
): Promise<void> => {
  await run(
    tx,
    sql`update conversation set last_text = ${shorten(reply.content)},
          last_is_opt_out = last_is_opt_out or ${reply.isOptOut}
        where customer_id = ${reply.customerId} and last_inbound_id = ${reply.inboundId}`,
  );
};

export interface ConversationRow {
  conversationId: string;
  appId: string;
  msisdn: string;
  lastInboundId: string;
  lastAt: Date;
  lastText: string;
  destination: string;
  isOptOut: boolean;
  unreadCount: number;
  /** Null: assigned to no one. */
  assigneeId: string | null;
  assigneeName: string | null;
}

const columns = sql`c.conversation_id as "conversationId", c.app_id as "appId", c.msisdn,
  c.last_inbound_id as "lastInboundId", c.last_at as "lastAt", c.last_text as "lastText",
  c.last_destination as destination, c.last_is_opt_out as "isOptOut", c.unread_count as "unreadCount",
  a.user_id as "assigneeId", a.name as "assigneeName"`;
const withAssignee = sql`left join app_user a on a.user_id = c.assignee_id`;

export interface ConversationFilter {
  customerId: string;
  msisdnPrefix?: string | undefined;
  msisdnSuffix?: string | undefined;
  /** A part of the last reply, in any case; null: that of none. */
  text?: string | null;
  /** How many of the newest a text is looked for in. */
  searched: number;
  isUnread?: boolean | undefined;
  /** Assigned to this user; null: to no one. */
  assigneeId?: string | null | undefined;
  appId?: string | undefined;
  /** The last one of the page before: its last reply. */
  after: readonly string[] | null;
  isReversed: boolean;
  limit: number;
}

export const listConversations = (db: Db, filter: ConversationFilter): Promise<ConversationRow[]> => {
  const { customerId, msisdnPrefix: prefix, text, appId } = filter;
  const order = { isDescending: !filter.isReversed, after: filter.after };
  const { past, orderBy } = pageBy([[sql`c.last_inbound_id`, 'uuid']], order);
  const conditions: Fragment<unknown>[] = [sql`c.customer_id = ${customerId}`, past];
  if (prefix !== undefined) conditions.push(sql`c.msisdn >= ${prefix}`, sql`c.msisdn <= ${prefix + '9'.repeat(15)}`);
  if (filter.msisdnSuffix !== undefined) conditions.push(endsWith(sql`c.msisdn`, filter.msisdnSuffix));
  if (text === null) conditions.push(sql`false`);
  else if (text !== undefined) conditions.push(sql`position(lower(${text}) in lower(c.last_text)) > 0`);
  if (filter.isUnread === true) conditions.push(sql`c.unread_count > 0`);
  if (filter.assigneeId === null) conditions.push(sql`c.assignee_id is null`);
  else if (filter.assigneeId !== undefined) conditions.push(sql`c.assignee_id = ${filter.assigneeId}`);
  if (appId !== undefined) conditions.push(sql`c.app_id = ${appId}`);
  const from =
    text === undefined
      ? sql`conversation c`
      : sql`(select * from conversation where customer_id = ${customerId}
          order by last_inbound_id desc limit ${filter.searched}) c`;
  return many(
    db,
    sql<ConversationRow>`select ${columns} from ${from} ${withAssignee} where ${sql.join(conditions, sql` and `)}
      order by ${orderBy} limit ${filter.limit}`,
  );
};

export const findConversation = (db: Db, customerId: string, conversationId: string): Promise<ConversationRow | null> =>
  maybe(
    db,
    sql<ConversationRow>`select ${columns} from conversation c ${withAssignee}
      where c.customer_id = ${customerId} and c.conversation_id = ${conversationId}`,
  );

interface Assignee {
  userId: string;
  name: string;
}

const mayAnswer = sql`role in ('owner', 'member') and removed_at is null`;

export const listAssignees = (db: Db, customerId: string): Promise<Assignee[]> =>
  many(
    db,
    sql<Assignee>`select user_id as "userId", name from app_user
      where customer_id = ${customerId} and ${mayAnswer} order by lower(name), user_id`,
  );

/** Locked: it stays one that may answer until the commit. */
export const lockAssignee = (tx: Db, customerId: string, userId: string): Promise<Assignee | null> =>
  maybe(
    tx,
    sql<Assignee>`select user_id as "userId", name from app_user
      where customer_id = ${customerId} and user_id = ${userId} and ${mayAnswer} for share`,
  );

/** Of calls at the same time the later one finds what the first assigned. */
export const lockConversation = (tx: Db, customerId: string, conversationId: string): Promise<number> =>
  run(
    tx,
    sql`select from conversation where customer_id = ${customerId} and conversation_id = ${conversationId} for update`,
  );

export const assignConversation = (
  tx: Db,
  customerId: string,
  conversationId: string,
  assigneeId: string | null,
): Promise<number> =>
  run(
    tx,
    sql`update conversation set assignee_id = ${assigneeId}
        where customer_id = ${customerId} and conversation_id = ${conversationId}`,
  );

/** In the transaction after which the user answers no phones any more. */
export const unassignConversations = (tx: Db, customerId: string, userId: string): Promise<number> =>
  run(
    tx,
    sql`update conversation set assignee_id = null where customer_id = ${customerId} and assignee_id = ${userId}`,
  );

/** Replies up to this one are read; false: it is none of such a conversation. One that came meanwhile stays unread. */
export const readConversation = async (
  tx: Db,
  customerId: string,
  conversationId: string,
  inboundId: string,
): Promise<boolean> => {
  const found = await maybe(
    tx,
    sql<{ unread: number }>`select (
          select count(*)::int from inbound n where n.customer_id = c.customer_id and n.msisdn = c.msisdn
            and n.app_id = c.app_id and n.inbound_id > i.inbound_id) as unread
      from conversation c join inbound i
        on i.customer_id = c.customer_id and i.msisdn = c.msisdn and i.app_id = c.app_id and i.inbound_id = ${inboundId}
      where c.customer_id = ${customerId} and c.conversation_id = ${conversationId} for update of c`,
  );
  if (found === null) return false;
  await run(
    tx,
    sql`update conversation set unread_count = ${found.unread}
        where customer_id = ${customerId} and conversation_id = ${conversationId} and unread_count > ${found.unread}`,
  );
  return true;
};

export interface ThreadReply {
  inboundId: string;
  receivedAt: Date;
  content: string;
  destination: string;
  isOptOut: boolean;
  answeredBy: string | null;
  answerRefusal: string | null;
}

export interface ThreadMessage {
  messageId: string;
  content: string;
  clientSid: string;
  smsType: 1 | 2 | 3;
  sendStatus: number;
  clientStatus: number;
  dealResult: string | null;
  taskName: string | null;
  automaticFor: string | null;
}

export type ThreadEntry = { reply: ThreadReply; atMs: number } | { message: ThreadMessage; atMs: number };

export interface Thread {
  customerId: string;
  appId: string;
  msisdn: string;
  /** The oldest message and the oldest reply of the pages before; null: the first page. */
  before: { messageId: string; inboundId: string } | null;
  limit: number;
}

/** The newest of both kinds, newest first: at most `limit`, each read by its own key. */
export const listThread = async (db: Db, thread: Thread): Promise<ThreadEntry[]> => {
  const replies = await listReplies(db, thread);
  const messages = await listMessages(db, thread);
  const answers = await listKeywordAnswers(db, {
    ...thread,
    inboundIds: replies.map(({ inboundId }) => inboundId),
    messageIds: messages.map(({ messageId }) => messageId),
  });
  const toReply = new Map(answers.map((answer) => [answer.inboundId, answer]));
  const byMessage = new Map(answers.map((answer) => [answer.messageId, answer]));
  return [
    ...replies.map((row): ThreadEntry => {
      const { keyword = null, refusal = null } = toReply.get(row.inboundId) ?? {};
      return { reply: { ...row, answeredBy: keyword, answerRefusal: refusal }, atMs: uuidMs(row.inboundId) };
    }),
    ...messages.map((row): ThreadEntry => {
      const automaticFor = byMessage.get(row.messageId)?.keyword ?? null;
      return { message: { ...row, automaticFor }, atMs: messageIdMs(row.messageId) };
    }),
  ]
    .sort((a, b) => b.atMs - a.atMs)
    .slice(0, thread.limit);
};

const listReplies = (
  db: Db,
  { customerId, appId, msisdn, before, limit }: Thread,
): Promise<Omit<ThreadReply, 'answeredBy' | 'answerRefusal'>[]> =>
  many(
    db,
    sql<
      Omit<ThreadReply, 'answeredBy' | 'answerRefusal'>
    >`select inbound_id as "inboundId", received_at as "receivedAt", content, destination,
        is_opt_out as "isOptOut"
      from inbound where customer_id = ${customerId} and msisdn = ${msisdn} and app_id = ${appId}
        and ${before === null ? sql`true` : sql`inbound_id < ${before.inboundId}::uuid`}
      order by inbound_id desc limit ${limit}`,
  );

const listMessages = (
  db: Db,
  { customerId, appId, msisdn, before, limit }: Thread,
): Promise<Omit<ThreadMessage, 'automaticFor'>[]> =>
  many(
    db,
    sql<
      Omit<ThreadMessage, 'automaticFor'>
    >`select m.message_id::text as "messageId", ${shownContent} as content, m.client_sid as "clientSid",
        m.sms_type as "smsType", m.send_status as "sendStatus", m.client_status as "clientStatus",
        m.deal_result as "dealResult", t.task_name as "taskName"
      from (select * from ${messagesTo(customerId, msisdn)} m where m.app_id = ${appId}
          and ${before === null ? sql`true` : sql`m.message_id < ${before.messageId}::bigint`}
        order by m.message_id desc limit ${limit}) m
      left join task t on t.task_id = m.task_id order by m.message_id desc`,
  );

/** Conversations with replies that are not read; at most `most` are counted. */
export const countUnreadConversations = async (db: Db, customerId: string, most: number): Promise<number> => {
  const row = await maybe(
    db,
    sql<{ count: number }>`select count(*)::int as count from (
      select from conversation where customer_id = ${customerId} and unread_count > 0 limit ${most}) c`,
  );
  return row?.count ?? 0;
};

/** Conversations whose replies have all expired. */
export const deleteOldConversations = (db: Db, customerId: string, before: Date, limit: number): Promise<number> =>
  run(
    db,
    sql`delete from conversation where customer_id = ${customerId} and conversation_id in (
          select conversation_id from conversation where customer_id = ${customerId} and last_inbound_id < ${uuidFloor(before.getTime())}
          order by last_inbound_id limit ${limit})`,
  );

export const eraseConversations = (db: Db, customerId: string, msisdn: string): Promise<number> =>
  run(db, sql`delete from conversation where customer_id = ${customerId} and msisdn = ${msisdn}`);
