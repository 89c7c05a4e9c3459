/** Records by the reference or the tag that software gave them: from the keys of these to the messages, rows and archived. */
import { messagesOf } from '../by-customer.ts';
import { type Db, type Fragment, many, sql } from '../sql.ts';
import { archivedWith } from './message-archive.ts';
import { isIndexedPrefix, type RecordFilter, rowConditions } from './record-filter.ts';
import { customersIn, type IdRange, type RecordKey, type Round } from './record-keys.ts';

/** Keys that one round looks at. */
const keysAtOnce = 2_000;

export const asksForExtra = ({ clientRef, tag }: RecordFilter): boolean => clientRef !== undefined || tag !== undefined;

/** With everything else that the filter asks for. */
export const extraRound = async (
  db: Db,
  readers: readonly string[] | null,
  filter: RecordFilter,
  ids: IdRange,
  limit: number,
): Promise<Round> => {
  const found = await listKeys(db, readers, filter, ids);
  const floor = found.length < keysAtOnce ? null : BigInt(found.at(-1)!.messageId);
  if (found.length === 0) return { keys: [], floor };
  const conditions = [...rowConditions(filter), ...furtherConditions(filter)];
  if (conditions.length === 0) return { keys: found.slice(0, limit), floor: found.length > limit ? null : floor };
  const where = sql.join(conditions, sql` and `);
  const messageIds = found.map((key) => key.messageId);
  const keys = sql`unnest(${found.map((key) => key.customerId)}::uuid[], ${messageIds}::bigint[])`;
  const matching = await many(
    db,
    sql<RecordKey>`select s.customer_id as "customerId", s.message_id::text as "messageId" from (
        select m.* from ${keys} as i(customer_id, message_id) ${await messagesOf(db, found)}
        union all ${archivedWith(keys, sql`${messageIds}::bigint[]`)}) s
      where ${where} order by s.message_id desc limit ${limit}`,
  );
  return { keys: matching, floor: matching.length >= limit ? null : floor };
};

const listKeys = (
  db: Db,
  readers: readonly string[] | null,
  { clientRef, tag }: RecordFilter,
  { low, high }: IdRange,
): Promise<RecordKey[]> => {
  const inRange = (of: string): Fragment =>
    sql`${sql.ref(of)}.customer_id = c.customer_id and ${sql.ref(of)}.message_id >= ${String(low)}::bigint
      and ${sql.ref(of)}.message_id < ${String(high)}::bigint`;
  const hasTag = sql`select t.message_id from message_tag t where ${inRange('t')} and t.tag = ${tag ?? ''}`;
  const chosen =
    clientRef === undefined
      ? sql`${hasTag} order by t.message_id desc`
      : sql`select e.message_id from message_extra e where ${inRange('e')} and e.client_ref = ${clientRef}
          and ${tag === undefined ? sql`true` : sql`${tag} = any(e.tags)`} order by e.message_id desc`;
  return many(
    db,
    sql<RecordKey>`select c.customer_id as "customerId", k.message_id::text as "messageId"
      from ${customersIn(readers)} cross join lateral (${chosen} limit ${keysAtOnce}) k
      order by k.message_id desc limit ${keysAtOnce}`,
  );
};

/** What other ways of reading have as their range. */
const furtherConditions = ({ msisdnPrefix, taskId, templateId }: RecordFilter): Fragment[] => {
  const all: Fragment[] = [];
  if (isIndexedPrefix({ msisdnPrefix })) all.push(sql`starts_with(s.msisdn, ${msisdnPrefix ?? ''})`);
  // Messages of tasks have no reference; software may have sent them with the template.
  if (taskId !== undefined) all.push(sql`s.task_id = ${taskId}::uuid`);
  if (templateId !== undefined) all.push(sql`s.template_id = ${templateId}::uuid`);
  return all;
};
