/** Inbound texts: stored for the customer they answer, listed newest first. Their IDs contain the time. */

import { isDistributed } from '../distributed.ts';
import { messageIdFloor, uuidFloor } from '../ids.ts';
import { pageBy } from '../keyset.ts';
import { auditStatus, sendStatus, smsType } from '../literals.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';
import { noteReply, noteRewrittenReply } from './conversations.ts';
import { messagesWith } from './message-archive.ts';
import { ofCustomer } from './real-customers.ts';
import { findRoutes } from './receipts.ts';
import { endsWith, shownContent } from './shown-messages.ts';

/** The customer that a text belongs to, with the message it answers if known. */
export interface ReplyOwner {
  customerId: string;
  messageId: string | null;
  appId: string | null;
  taskId: string | null;
  /** What the text was sent to, if that differs from what the carrier wrote. */
  destination?: string;
}

export interface NewInbound extends Omit<ReplyOwner, 'destination'> {
  inboundId: string;
  supplierId: string;
  msisdn: string;
  destination: string;
  content: string;
  isOptOut: boolean;
  receivedMs: number;
}

/** With its conversation. False: it is there already. */
export const insertInbound = async (tx: Db, row: NewInbound): Promise<boolean> => {
  const inserted = await run(
    tx,
    sql`insert into inbound (customer_id, inbound_id, supplier_id, msisdn, destination, content, received_at, message_id,
          app_id, task_id, is_opt_out)
        values (${row.customerId}, ${row.inboundId}, ${row.supplierId}, ${row.msisdn}, ${row.destination}, ${row.content},
          ${new Date(row.receivedMs)}, ${row.messageId}, ${row.appId}, ${row.taskId}, ${row.isOptOut})
        on conflict do nothing`,
  );
  if (inserted === 1 && row.appId !== null) await noteReply(tx, { ...row, appId: row.appId });
  return inserted === 1;
};

/** A text stored before parts of it were there, with those that came since; a refusal that was read in it stays one. */
export const rewriteInbound = async (
  tx: Db,
  row: Pick<NewInbound, 'customerId' | 'inboundId' | 'content' | 'isOptOut'>,
): Promise<void> => {
  await run(
    tx,
    sql`update inbound set content = ${row.content}, is_opt_out = is_opt_out or ${row.isOptOut}
        where customer_id = ${row.customerId} and inbound_id = ${row.inboundId}`,
  );
  await noteRewrittenReply(tx, row);
};

/** A text of a phone that a message answers. */
export interface AnsweredText {
  msisdn: string;
  /** What the phone sent it to. */
  destination: string;
}

/** Of one application, by id; ids of other texts are left out. */
export const findAnsweredTexts = async (
  db: Db,
  { customerId, appId }: { customerId: string; appId: string },
  inboundIds: readonly string[],
): Promise<Map<string, AnsweredText>> => {
  if (inboundIds.length === 0) return new Map();
  const rows = await many<AnsweredText & { inboundId: string }>(
    db,
    sql`select inbound_id as "inboundId", msisdn, destination from inbound
        where customer_id = ${customerId} and inbound_id = any(${inboundIds}::uuid[]) and app_id = ${appId}`,
  );
  return new Map(rows.map(({ inboundId, ...text }) => [inboundId, text]));
};

export interface AnsweredAddress {
  msisdn: string;
  /** What the phone sent its text to. */
  destination: string;
  /** How far back messages are looked for, Unix milliseconds. */
  sinceMs: number;
}

/**
 * The newest message to a phone, of all customers but the internal one. `condition` speaks of its row `m`; `order` puts
 * some before newer ones.
 */
const findMessageTo = async (
  db: Db,
  { msisdn, sinceMs }: AnsweredAddress,
  condition: Fragment<unknown>,
  order: Fragment<unknown> = sql``,
): Promise<ReplyOwner | null> =>
  (await isDistributed(db))
    ? maybe(
        db,
        sql<ReplyOwner>`select m.customer_id as "customerId", m.message_id::text as "messageId", m.app_id as "appId",
          m.task_id as "taskId"
        from (
          select customer_id, message_id, app_id, task_id, sms_type from message m
          where msisdn = ${msisdn} and message_id >= ${String(messageIdFloor(sinceMs))}
            and send_status in (${sendStatus.Sending}, ${sendStatus.Successful}) and ${condition}
          order by ${order} message_id desc limit 100) m
        join customer c on c.customer_id = m.customer_id and not c.internal
        order by ${order} m.message_id desc limit 1`,
      )
    : maybe(
        db,
        sql<ReplyOwner>`select m.customer_id as "customerId", m.message_id::text as "messageId", m.app_id as "appId",
          m.task_id as "taskId"
        from customer c
        cross join lateral (
          select customer_id, message_id, app_id, task_id, sms_type from message m
          where customer_id = c.customer_id and msisdn = ${msisdn}
            and message_id >= ${String(messageIdFloor(sinceMs))}
              and send_status in (${sendStatus.Sending}, ${sendStatus.Successful}) and ${condition}
          order by ${order} message_id desc limit 1) m
        where not c.internal order by ${order} m.message_id desc limit 1`,
      );

/** Finds the owner by the newest message that the number received from the address it answers. */
export const findOwnerByMessage = (db: Db, of: AnsweredAddress): Promise<ReplyOwner | null> =>
  findMessageTo(db, of, sql`lower(m.client_sid) = lower(${of.destination})`);

/** By the newest marketing message that the phone got, else by the newest of any type: for a number that all share. */
export const findOwnerBySharedNumber = (db: Db, of: AnsweredAddress): Promise<ReplyOwner | null> =>
  findMessageTo(db, of, sql`true`, sql`(m.sms_type = ${smsType.Marketing}) desc,`);

/** The customer that the address is registered for: a number has one, a sender ID may have several, and then none. */
export const findOwnerByAddress = async (db: Db, destination: string): Promise<ReplyOwner | null> => {
  const owners = await many(
    db,
    sql<{
      customerId: string;
      appId: string;
    }>`select customer_id as "customerId", app_id as "appId" from assigned_number
          where number = ${destination}
        union all
        select s.customer_id, min(s.app_id) from sender s join customer c on c.customer_id = s.customer_id
          where lower(s.sender_id) = lower(${destination})
            and s.audit_status in (${auditStatus.Approved}, ${auditStatus.NotRequired}) and not c.internal
          group by s.customer_id limit 2`,
  );
  const [owner, other] = owners;
  return owner === undefined || other !== undefined ? null : { ...owner, messageId: null, taskId: null };
};

/** The message that a carrier gave this id. It is sent from the address that the text answers. */
export const findOwnerByCarrierId = async (
  tx: Db,
  supplierId: string,
  carrierMessageId: string,
): Promise<ReplyOwner | null> => {
  const [route] = await findRoutes(tx, [{ supplierId, carrierMessageId }]);
  if (route === undefined) return null;
  return maybe(
    tx,
    sql<ReplyOwner>`select customer_id as "customerId", message_id::text as "messageId", app_id as "appId",
        task_id as "taskId", client_sid as destination
      from message where customer_id = ${route.customerId} and message_id = ${String(route.messageId)}::bigint`,
  );
};

export interface UnownedReply {
  inboundId: string;
  supplierId: string;
  msisdn: string;
  destination: string;
  content: string;
  isOptOut: boolean;
  receivedMs: number;
}

/** Keeps a text for staff; one that is stored already gets its new content. True if it was not there. */
export const saveUnownedReply = async (tx: Db, row: UnownedReply): Promise<boolean> => {
  const saved = await maybe(
    tx,
    sql<{
      isNew: boolean;
    }>`insert into unowned_reply as u (inbound_id, supplier_id, msisdn, destination, content, is_opt_out,
          received_at)
        values (${row.inboundId}, ${row.supplierId}, ${row.msisdn}, ${row.destination}, ${row.content}, ${row.isOptOut},
          ${new Date(row.receivedMs)})
        on conflict (inbound_id) do update set content = excluded.content, is_opt_out = u.is_opt_out or excluded.is_opt_out
        returning xmax = 0 as "isNew"`,
  );
  return saved?.isNew === true;
};

export interface UnownedReplyRow {
  inboundId: string;
  msisdn: string;
  destination: string;
  content: string;
  isOptOut: boolean;
  receivedAt: Date;
  supplierAccount: string;
}

export interface UnownedReplyFilter {
  destination?: string | undefined;
  isOptOut?: boolean | undefined;
  /** The last one of the page before; ids carry the time. */
  after: readonly string[] | null;
  /** In the other direction. */
  isReversed?: boolean | undefined;
  limit: number;
}

export const listUnownedReplies = (db: Db, filter: UnownedReplyFilter): Promise<UnownedReplyRow[]> => {
  const order = { isDescending: filter.isReversed !== true, after: filter.after };
  const { past, orderBy } = pageBy([[sql`u.inbound_id`, 'uuid']], order);
  const conditions: Fragment<unknown>[] = [past];
  if (filter.destination) conditions.push(sql`lower(u.destination) = lower(${filter.destination})`);
  if (filter.isOptOut !== undefined) conditions.push(sql`u.is_opt_out = ${filter.isOptOut}`);
  return many<UnownedReplyRow>(
    db,
    sql`select u.inbound_id as "inboundId", u.msisdn, u.destination, u.content, u.is_opt_out as "isOptOut",
          u.received_at as "receivedAt", coalesce(s.supplier_account, '') as "supplierAccount"
        from unowned_reply u left join supplier s on s.supplier_id = u.supplier_id
        where ${sql.join(conditions, sql` and `)} order by ${orderBy} limit ${filter.limit}`,
  );
};

/** Those of the time since `from`: how many, counting ends at a thousand, and when the first of them came. */
export const countUnownedReplies = (db: Db, from: Date): Promise<{ count: number; since: Date | null }> =>
  one(
    db,
    sql<{ count: number; since: Date | null }>`select count(*)::int as count, min(received_at) as since
      from (select received_at from unowned_reply where received_at >= ${from} order by received_at desc limit 1000) u`,
  );

export const deleteOldUnownedReplies = (db: Db, before: Date, limit: number): Promise<number> =>
  run(
    db,
    sql`delete from unowned_reply where inbound_id in (
          select inbound_id from unowned_reply where received_at < ${before} limit ${limit})`,
  );

export interface InboundRow {
  inboundId: string;
  customerId: string;
  msisdn: string;
  destination: string;
  content: string;
  receivedAt: Date;
  messageId: string | null;
  appId: string | null;
  taskId: string | null;
  taskName: string | null;
  isOptOut: boolean;
}

export interface InboundFilter {
  /** Null: of all customers, for staff. */
  customerId: string | null;
  msisdnPrefix?: string | undefined;
  msisdnSuffix?: string | undefined;
  destination?: string | undefined;
  appId?: string | undefined;
  taskId?: string | undefined;
  isOptOut?: boolean | undefined;
  /** Unix milliseconds of arrival: from, and before. */
  fromMs?: number | undefined;
  toMs?: number | undefined;
  /** The last one of the page before. */
  after: readonly string[] | null;
  /** In the other direction. */
  isReversed?: boolean | undefined;
  limit: number;
}

const inboundColumns = sql`i.inbound_id as "inboundId", i.customer_id as "customerId", i.msisdn, i.destination,
  i.content, i.received_at as "receivedAt", i.message_id::text as "messageId", i.app_id as "appId",
  i.task_id as "taskId", t.task_name as "taskName", i.is_opt_out as "isOptOut"`;

export const listInbound = async (db: Db, filter: InboundFilter): Promise<InboundRow[]> => {
  const { msisdnPrefix: prefix, destination, appId, taskId, isOptOut, fromMs, toMs, after } = filter;
  const { past, orderBy } = pageBy([[sql`i.inbound_id`, 'uuid']], { isDescending: filter.isReversed !== true, after });
  const conditions: Fragment<unknown>[] = [ofCustomer(sql`i.customer_id`, filter.customerId), past];
  if (prefix !== undefined) conditions.push(sql`i.msisdn >= ${prefix}`, sql`i.msisdn <= ${prefix + '9'.repeat(15)}`);
  if (filter.msisdnSuffix !== undefined) conditions.push(endsWith(sql`i.msisdn`, filter.msisdnSuffix));
  if (destination !== undefined) conditions.push(sql`lower(i.destination) = lower(${destination})`);
  if (appId !== undefined) conditions.push(sql`i.app_id = ${appId}`);
  if (taskId !== undefined) conditions.push(sql`i.task_id = ${taskId}`);
  if (isOptOut !== undefined) conditions.push(sql`i.is_opt_out = ${isOptOut}`);
  if (fromMs !== undefined) conditions.push(sql`i.inbound_id >= ${uuidFloor(fromMs)}`);
  if (toMs !== undefined) conditions.push(sql`i.inbound_id < ${uuidFloor(toMs)}`);
  return many(
    db,
    sql<InboundRow>`select ${inboundColumns}
      from (select * from inbound i where ${sql.join(conditions, sql` and `)}
        order by ${orderBy} limit ${filter.limit}) i
      left join task t on t.task_id = i.task_id order by ${orderBy}`,
  );
};

export interface InboundDetailRow extends InboundRow {
  clientSid: string | null;
  fullMessage: string | null;
  smsType: 1 | 2 | 3 | null;
  clientStatus: number | null;
  optOutAt: Date | null;
}

/** Returns one text with the message it answers, if that is still stored, and whether its number is opted out now. */
export const findInbound = async (
  db: Db,
  customerId: string | null,
  inboundId: string,
): Promise<InboundDetailRow | null> => {
  const found = sql`${ofCustomer(sql`i.customer_id`, customerId)} and i.inbound_id = ${inboundId}`;
  const key = await maybe(
    db,
    sql<{
      customerId: string;
      messageId: string | null;
    }>`select customer_id as "customerId", message_id::text as "messageId"
      from inbound i where ${found}`,
  );
  if (key === null) return null;
  const messages = messagesWith(key.customerId, key.messageId === null ? [] : [key.messageId]);
  return await maybe(
    db,
    sql<InboundDetailRow>`select ${inboundColumns}, m.client_sid as "clientSid", ${shownContent} as "fullMessage",
        m.sms_type as "smsType", m.client_status as "clientStatus", o.created_at as "optOutAt"
      from inbound i
      left join task t on t.task_id = i.task_id
      left join (select * from ${messages} m limit 1) m on true
      left join opt_out o on o.customer_id = i.customer_id and o.msisdn = i.msisdn
      where ${found}`,
  );
};
