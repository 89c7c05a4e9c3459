/** References, tags and further wishes of messages: a row for those that have any, so that others cost nothing. */
import type { CallbackFormat } from '@pahatid/contract';
import { numberArray } from '../array-literal.ts';
import { messageIdFloor } from '../ids.ts';
import { type Db, many, maybe, run, sql } from '../sql.ts';

export interface MessageExtra {
  /** The software's own name of the message. */
  clientRef: string | null;
  tags: readonly string[];
  sendAt: Date | null;
  /** The phone's text that it answers. */
  replyTo: string | null;
}

/** A message's own address of callbacks, and the form of what it receives. */
export interface MessageCallback {
  url: string;
  format: CallbackFormat;
}

export interface NewMessageExtra extends MessageExtra {
  callback: MessageCallback | null;
  customerId: string;
  messageId: bigint;
  appId: string;
}

/** In the transaction that writes the messages. */
export const insertMessageExtras = async (tx: Db, rows: readonly NewMessageExtra[]): Promise<void> => {
  if (rows.length === 0) return;
  await run(
    tx,
    // Tags have no comma.
    sql`insert into message_extra (customer_id, message_id, app_id, client_ref, tags, send_at, reply_to, callback_url, callback_format)
        select customer_id, message_id, app_id, client_ref, string_to_array(tags, ','), send_at, reply_to, callback_url,
          callback_format
        from unnest(${rows.map((row) => row.customerId)}::uuid[], ${numberArray(rows.map((row) => row.messageId))}::bigint[],
          ${rows.map((row) => row.appId)}::text[], ${rows.map((row) => row.clientRef)}::text[], ${rows.map(({ tags }) => (tags.length === 0 ? null : tags.join(',')))}::text[],
          ${rows.map((row) => row.sendAt)}::timestamptz[], ${rows.map((row) => row.replyTo)}::uuid[],
          ${rows.map((row) => row.callback?.url ?? null)}::text[], ${rows.map((row) => row.callback?.format ?? null)}::text[])
          as i(customer_id, message_id, app_id, client_ref, tags, send_at, reply_to, callback_url, callback_format)`,
  );
  const tagged = rows.flatMap(({ customerId, messageId, tags }) => tags.map((tag) => ({ customerId, messageId, tag })));
  if (tagged.length === 0) return;
  await run(
    tx,
    sql`insert into message_tag (customer_id, tag, message_id)
        select * from unnest(${tagged.map((row) => row.customerId)}::uuid[], ${tagged.map((row) => row.tag)}::text[],
          ${numberArray(tagged.map((row) => row.messageId))}::bigint[])`,
  );
};

export const findMessageExtra = (db: Db, customerId: string, messageId: string): Promise<MessageExtra | null> =>
  maybe<MessageExtra>(
    db,
    sql`select client_ref as "clientRef", coalesce(tags, '{}') as tags, send_at as "sendAt", reply_to as "replyTo"
        from message_extra where customer_id = ${customerId} and message_id = ${messageId}::bigint`,
  );

/** Of one customer, by message. */
export const listMessageExtras = async (
  db: Db,
  customerId: string,
  messageIds: readonly string[],
): Promise<Map<string, MessageExtra>> => {
  const rows = await many<MessageExtra & { messageId: string }>(
    db,
    sql`select message_id::text as "messageId", client_ref as "clientRef", coalesce(tags, '{}') as tags,
          send_at as "sendAt", reply_to as "replyTo"
        from message_extra where customer_id = ${customerId} and message_id = any(${messageIds}::bigint[])`,
  );
  return new Map(rows.map(({ messageId, ...extra }) => [messageId, extra]));
};

export interface UsedReference {
  customerId: string;
  appId: string;
  clientRef: string;
}

/**
 * Which of these references an application has given to a message that is still stored. Under the lock of the customer's
 * row, without which no message of its software is written.
 */
export const findUsedReferences = async (tx: Db, wanted: readonly UsedReference[]): Promise<UsedReference[]> => {
  if (wanted.length === 0) return [];
  return await many<UsedReference>(
    tx,
    sql`select w.customer_id as "customerId", w.app_id as "appId", w.client_ref as "clientRef"
        from unnest(${wanted.map((row) => row.customerId)}::uuid[], ${wanted.map((row) => row.appId)}::text[],
          ${wanted.map((row) => row.clientRef)}::text[]) as w(customer_id, app_id, client_ref)
        cross join lateral (
          select from message_extra e where e.customer_id = w.customer_id and e.client_ref = w.client_ref
            and e.app_id = w.app_id limit 1) e`,
  );
};

/** Of messages that were accepted before an instant. */
export const deleteOldExtras = async (tx: Db, customerId: string, before: Date, limit: number): Promise<number> =>
  deleteExtras(
    tx,
    customerId,
    sql`select message_id from message_extra where customer_id = ${customerId}
        and message_id < ${String(messageIdFloor(before.getTime()))}::bigint order by message_id limit ${limit}`,
  );

/** References and tags may name a person, as the number of a message does. */
export const eraseMessageExtras = async (tx: Db, customerId: string, messageIds: readonly string[]): Promise<void> => {
  if (messageIds.length > 0) await deleteExtras(tx, customerId, sql`select unnest(${messageIds}::bigint[])`);
};

const deleteExtras = async (tx: Db, customerId: string, chosen: ReturnType<typeof sql>): Promise<number> => {
  const rows = await many<{ messageId: string; tags: string[] }>(
    tx,
    sql`delete from message_extra where customer_id = ${customerId} and message_id in (${chosen})
        returning message_id::text as "messageId", coalesce(tags, '{}') as tags`,
  );
  const tagged = rows.flatMap(({ messageId, tags }) => tags.map((tag) => ({ messageId, tag })));
  if (tagged.length > 0)
    await run(
      tx,
      sql`delete from message_tag where customer_id = ${customerId} and (tag, message_id) in (
            select * from unnest(${tagged.map((row) => row.tag)}::text[], ${tagged.map((row) => row.messageId)}::bigint[]))`,
    );
  return rows.length;
};
