/**
 * Statements on rows of many customers. PostgreSQL runs one for all; on Citus the rows of a customer are on one shard, and a
 * statement that names the customer is one task there, not one for each shard (decision 173).
 */
import { isDistributed, isKnownDistributed } from './distributed.ts';
import { type Db, type Fragment, sql } from './sql.ts';

export interface CustomerRows<Row> {
  /** Null: of any customers. */
  readonly customerId: string | null;
  readonly rows: readonly Row[];
}

/** Rows as their statements take them, by customer in the order in which rows are locked. */
export const splitByCustomer = async <Row extends { readonly customerId: string }>(
  db: Db,
  rows: readonly Row[],
): Promise<CustomerRows<Row>[]> => {
  if (rows.length === 0) return [];
  if (!(await isDistributed(db))) return [{ customerId: null, rows }];
  const groups = Map.groupBy(rows, ({ customerId }) => customerId);
  return [...groups.keys()].sort().map((customerId) => ({ customerId, rows: groups.get(customerId)! }));
};

/** Condition on the column that a table is distributed by, with the key as the next parameter; null: rows of any. */
export const ofShard = (
  column: string,
  key: string | null,
  values: readonly unknown[],
): { readonly text: string; readonly values: readonly unknown[] } =>
  key === null
    ? { text: '', values }
    : { text: ` and ${column} = $${values.length + 1}::uuid`, values: [...values, key] };

/**
 * Joins rows `m` of message to a table `i` of their keys, whose arrays are two parameters of the statement. PostgreSQL goes
 * from key to key; on Citus the rows are fetched first, from the shards of these customers, and may then be joined with tables
 * of the coordinator.
 */
export const joinMessages = async (
  db: Db,
  {
    customerIds,
    messageIds,
    and = '',
  }: { readonly customerIds: string; readonly messageIds: string; readonly and?: string },
): Promise<string> =>
  (await isDistributed(db))
    ? `join (select * from message where customer_id = any(${customerIds}::uuid[]) and message_id = any(${messageIds}::bigint[])
         ${and} offset 0) m on m.customer_id = i.customer_id and m.message_id = i.message_id`
    : `cross join lateral (
        select * from message where message.customer_id = i.customer_id and message.message_id = i.message_id
          ${and} offset 0) m`;

/** The same of keys that are at hand. */
export const messagesOf = async (
  db: Db,
  keys: readonly { readonly customerId: string; readonly messageId: string }[],
  and: Fragment = sql`true`,
): Promise<Fragment> => {
  const customerIds = [...new Set(keys.map(({ customerId }) => customerId))];
  const messageIds = keys.map(({ messageId }) => messageId);
  return (await isDistributed(db))
    ? sql`join (select * from message where customer_id = any(${customerIds}::uuid[])
        and message_id = any(${messageIds}::bigint[]) and ${and} offset 0) m
        on m.customer_id = i.customer_id and m.message_id = i.message_id`
    : sql`cross join lateral (select * from message where message.customer_id = i.customer_id
        and message.message_id = i.message_id and ${and} offset 0) m`;
};

/** Rows of one customer's messages, as a table. On Citus they are fetched before they are joined with anything. */
export const rowsOfMessages = (customerId: string, messageIds: readonly string[]): Fragment =>
  sql`(select * from message where customer_id = ${customerId} and message_id = any(${messageIds}::bigint[])
    ${isKnownDistributed() ? sql`offset 0` : sql``})`;
