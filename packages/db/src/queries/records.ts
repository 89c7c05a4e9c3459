/**
 * Messages as records, newest first. Ids carry the time, so a range of time is a range of the primary key, and a page
 * begins where the last one ended, whatever arrives meanwhile. Filters that no index serves look at a bounded number
 * of rows in key order and say how far they came: a page may be short and yet have a next one.
 */
import { SendStatus } from '@pahatid/contract/enums';
import { messageIdFloor } from '../ids.ts';
import { type Db, type Fragment, many, maybe, sql } from '../sql.ts';
import { shownSendStatus } from './task-details.ts';

export interface RecordRow {
  customer_id: string;
  message_id: string;
  msisdn: string;
  area_code: string;
  client_sid: string;
  send_status: number;
  client_status: number;
  deal_result: string | null;
  carrier_code: string | null;
  task_id: string | null;
  task_name: string | null;
  /** Its own where software sent it with one, or that of its task as that is now. */
  template_id: string | null;
  template_name: string | null;
  app_id: string;
  sms_type: 1 | 2 | 3;
  content: string;
  submitted_at: Date | null;
  answered_at: Date | null;
  report_at: Date | null;
  pkg_total: number;
  carrier: string | null;
  range_holder: string | null;
  charge_type: 'SenderPays' | 'ReceiverPays';
  price: number;
  route_id: string;
  supplier_account: string | null;
  customer_name: string;
  /** Since when it is in doubt; null where it is not. */
  doubt_since: Date | null;
}

export interface RecordFilter {
  /** Digits that the number begins with; with anything else in it, it begins none. */
  msisdnPrefix?: string | undefined;
  clientSid?: string | undefined;
  sendStatus?: readonly number[] | undefined;
  clientStatus?: readonly number[] | undefined;
  smsType?: readonly number[] | undefined;
  /** '' where none was known. */
  carrier?: string | undefined;
  areaCode?: string | undefined;
  taskId?: string | undefined;
  /** Of the message itself, or of its task. */
  templateId?: string | undefined;
  appId?: string | undefined;
  messageId?: string | undefined;
  /** One of those whose records are read. */
  customerId?: string | undefined;
  routeId?: string | undefined;
}

export interface RecordRange {
  /** Unix milliseconds of acceptance: from, and before. */
  fromMs: number;
  toMs: number;
  /** Ids below this one: the place where the page before ended. */
  before: string | null;
  limit: number;
}

interface Narrowed {
  filter: RecordFilter;
  ids: IdRange;
  /** The tasks that a task's or a template's filter leads to, and the range in which their batches lie. */
  tasks: { ids: readonly string[]; range: IdRange } | null;
  /** Whose messages of no task are looked for beside those; where a task is named as well, there are none. */
  templateId: string | null;
}

/** Rows that one page looks at for each customer where no index serves the filter. */
export const scanLimit = 20_000;
/** With so many digits a number's prefix names a thousand numbers at most, and its index is read instead. */
const indexedPrefixLength = 9;

/** Only rows without an answer ask their batch, the one that begins at or before them, whether they are under way. */
const sendStatus = sql`case when m.send_status <> 0 then m.send_status else coalesce((
    select ${shownSendStatus} from (select * from batch x where x.batch_id <= m.message_id order by x.batch_id desc limit 1) b
  ), m.send_status) end`;

/** Waiting and under way lie in one state of the row; where both are asked for, or neither, no batch is. */
const isAnsweredWith = (asked: readonly number[]): Fragment<unknown> =>
  asked.includes(SendStatus.Waiting) === asked.includes(SendStatus.Sending)
    ? sql`s.send_status = any(${asked}::smallint[])`
    : sql`(select ${sendStatus} from (select s.send_status, s.message_id) m) = any(${asked}::smallint[])`;

/** What is left to look at in each row, after the range that it was read by. */
const residual = ({ filter, tasks, templateId }: Narrowed): Fragment<unknown>[] => {
  const all: Fragment<unknown>[] = [];
  if (tasks !== null && isIndexed(filter))
    all.push(sql`(s.task_id = any(${tasks.ids}::uuid[]) or s.template_id = ${templateId}::uuid)`);
  if (filter.msisdnPrefix !== undefined && !isIndexed(filter))
    all.push(sql`starts_with(s.msisdn, ${filter.msisdnPrefix})`);
  if (filter.clientSid !== undefined) all.push(sql`lower(s.client_sid) = lower(${filter.clientSid})`);
  if (filter.sendStatus) all.push(isAnsweredWith(filter.sendStatus));
  if (filter.clientStatus) all.push(sql`s.client_status = any(${filter.clientStatus}::smallint[])`);
  if (filter.smsType) all.push(sql`s.sms_type = any(${filter.smsType}::smallint[])`);
  if (filter.carrier !== undefined)
    all.push(filter.carrier === '' ? sql`s.carrier is null` : sql`s.carrier = ${filter.carrier}`);
  if (filter.areaCode !== undefined) all.push(sql`s.area_code = ${filter.areaCode}`);
  if (filter.appId !== undefined) all.push(sql`s.app_id = ${filter.appId}`);
  if (filter.routeId !== undefined) all.push(sql`s.route_id = ${filter.routeId}`);
  return all;
};

const isIndexed = (filter: RecordFilter): boolean => (filter.msisdnPrefix?.length ?? 0) >= indexedPrefixLength;

/** Sorts after every number with this beginning, under any collation: letters come after digits. */
const afterPrefix = (digits: string): string => `${digits}a`;

interface IdRange {
  low: bigint;
  high: bigint;
}

const isEmpty = ({ low, high }: IdRange): boolean => low >= high;

const idRange = (filter: RecordFilter, range: RecordRange): IdRange => {
  let low = messageIdFloor(range.fromMs);
  let high = messageIdFloor(range.toMs);
  if (filter.messageId !== undefined) {
    const id = BigInt(filter.messageId);
    low = id > low ? id : low;
    high = id + 1n < high ? id + 1n : high;
  }
  if (range.before !== null && BigInt(range.before) < high) high = BigInt(range.before);
  return { low, high };
};

/** Tasks that the filter names, or that use the template it names; null where it names neither. */
const findTaskIds = async (
  db: Db,
  customerIds: readonly string[],
  { taskId, templateId }: RecordFilter,
): Promise<string[] | null> => {
  if (templateId === undefined) return taskId === undefined ? null : [taskId];
  const rows = await many(
    db,
    sql<{ task_id: string }>`select task_id from task
      where customer_id = any(${customerIds}::uuid[]) and template_id = ${templateId}`,
  );
  const all = rows.map((row) => row.task_id);
  return taskId === undefined ? all : all.filter((each) => each === taskId);
};

/** Messages of tasks lie within their batches: their range is far smaller than that of the time asked for. */
const narrowToTasks = async (db: Db, taskIds: readonly string[], ids: IdRange): Promise<IdRange> => {
  const row = await maybe(
    db,
    sql<{
      low: string | null;
      high: string | null;
    }>`select min(batch_id)::text as low, max(batch_id + message_count)::text as high
      from batch where task_id = any(${taskIds}::uuid[])`,
  );
  if (row?.low == null || row.high == null) return { low: 0n, high: 0n };
  const [low, high] = [BigInt(row.low), BigInt(row.high)];
  return { low: low > ids.low ? low : ids.low, high: high < ids.high ? high : ids.high };
};

/** Null where nothing can be found. */
const narrow = async (
  db: Db,
  customerIds: readonly string[],
  filter: RecordFilter,
  ids: IdRange,
): Promise<Narrowed | null> => {
  if (isEmpty(ids) || /\D/.test(filter.msisdnPrefix ?? '')) return null;
  const taskIds = await findTaskIds(db, customerIds, filter);
  if (taskIds === null) return { filter, ids, tasks: null, templateId: null };
  const tasks = { ids: taskIds, range: await narrowToTasks(db, taskIds, ids) };
  if (filter.templateId !== undefined && filter.taskId === undefined)
    return { filter, ids, tasks, templateId: filter.templateId };
  return isEmpty(tasks.range) ? null : { filter, ids: tasks.range, tasks, templateId: null };
};

/**
 * One page over one customer or several (staff), and the id to go on below; null: nothing follows. Several are read side
 * by side and merged; where one of them came to its limit, nothing older than that is shown yet, so no row is passed over.
 */
export const listRecords = async (
  db: Db,
  readableIds: readonly string[],
  filter: RecordFilter,
  range: RecordRange,
): Promise<{ rows: RecordRow[]; next: string | null }> => {
  const { customerId } = filter;
  const customerIds = customerId === undefined ? readableIds : readableIds.filter((each) => each === customerId);
  const narrowed = await narrow(db, customerIds, filter, idRange(filter, range));
  if (narrowed === null) return { rows: [], next: null };
  const found = await findKeys(db, customerIds, narrowed, range.limit + 1);
  const floor = await findFloor(db, customerIds, narrowed, found, range.limit + 1);
  const reached = found.filter((row) => floor === null || BigInt(row.message_id) >= floor);
  const page = reached.slice(0, range.limit);
  const isFull = reached.length > range.limit;
  const next = isFull ? (page.at(-1)?.message_id ?? null) : floor === null ? null : String(floor);
  return { rows: await readRows(db, page), next };
};

interface Key {
  customer_id: string;
  message_id: string;
}

/** Rows of one customer `c`, newest first, at most `limit`. Each kind comes with a limit of its own, so none is read on. */
const readInOrder = ({ tasks, templateId, ids }: Narrowed, limit: number): Fragment<unknown> => {
  const kinds: Fragment<unknown>[] = [];
  if (tasks === null) kinds.push(readRange(ids, sql`true`, limit));
  else if (!isEmpty(tasks.range)) kinds.push(readTasks(tasks.ids, tasks.range, limit));
  if (templateId !== null) kinds.push(readRange(ids, sql`m.template_id = ${templateId}::uuid`, limit));
  if (kinds.length === 1) return kinds[0]!;
  return sql`select m.* from (${sql.join(
    kinds.map((kind) => sql`(${kind})`),
    sql` union all `,
  )}) m order by m.message_id desc limit ${limit}`;
};

const readRange = ({ low, high }: IdRange, which: Fragment<unknown>, limit: number): Fragment<unknown> =>
  sql`select m.* from message m where m.customer_id = c.customer_id and ${which}
    and m.message_id >= ${String(low)}::bigint and m.message_id < ${String(high)}::bigint
    order by m.message_id desc limit ${limit}`;

/**
 * Messages of tasks are read batch by batch, whose ids follow each other without a gap: nothing of other tasks is looked
 * at, however much lies between. The limit inside keeps the planner to that order (a batch has 1,000 messages at the most).
 */
const readTasks = (taskIds: readonly string[], range: IdRange, limit: number): Fragment<unknown> => {
  const { low, high } = { low: String(range.low), high: String(range.high) };
  return sql`select m.* from (
      select b.batch_id, b.message_count from batch b
      where b.customer_id = c.customer_id and b.task_id = any(${taskIds}::uuid[])
        and b.batch_id < ${high}::bigint and b.batch_id + b.message_count > ${low}::bigint) b
    cross join lateral (
      select m.* from message m where m.customer_id = c.customer_id
        and m.message_id >= greatest(b.batch_id, ${low}::bigint)
        and m.message_id < least(b.batch_id + b.message_count, ${high}::bigint)
      order by m.message_id desc limit 1000) m
    order by b.batch_id desc, m.message_id desc limit ${limit}`;
};

const findKeys = async (db: Db, customerIds: readonly string[], narrowed: Narrowed, limit: number): Promise<Key[]> => {
  const { filter, ids } = narrowed;
  const conditions = residual(narrowed);
  const where = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
  const prefix = filter.msisdnPrefix ?? '';
  const byNumber = sql`select m.* from message m where m.customer_id = c.customer_id
    and m.msisdn >= ${prefix} and m.msisdn < ${afterPrefix(prefix)}
    and m.message_id >= ${String(ids.low)}::bigint and m.message_id < ${String(ids.high)}::bigint`;
  const inOrder = readInOrder(narrowed, conditions.length === 0 ? limit : scanLimit);
  return many(
    db,
    sql<Key>`select r.customer_id, r.message_id::text from unnest(${customerIds}::uuid[]) as c(customer_id)
      cross join lateral (
        select s.customer_id, s.message_id from (${isIndexed(filter) ? byNumber : inOrder}) s
        where ${where} order by s.message_id desc limit ${limit}) r
      order by r.message_id desc limit ${limit}`,
  );
};

/** The highest id below which some customer's rows were not looked at any more; null where all were. */
const findFloor = async (
  db: Db,
  customerIds: readonly string[],
  narrowed: Narrowed,
  found: readonly Key[],
  limit: number,
): Promise<bigint | null> => {
  if (residual(narrowed).length === 0 || isIndexed(narrowed.filter)) return null;
  const counts = Map.groupBy(found, (row) => row.customer_id);
  // Whoever filled a whole page by itself has shown its newest rows without a gap.
  const open = customerIds.filter((customerId) => (counts.get(customerId)?.length ?? 0) < limit);
  const row = await maybe(
    db,
    sql<{ floor: string | null }>`select max(r.message_id)::text as floor from unnest(${open}::uuid[]) as c(customer_id)
      cross join lateral (
        select s.message_id from (${readInOrder(narrowed, scanLimit)}) s
        order by s.message_id desc offset ${scanLimit - 1} limit 1) r`,
  );
  return row?.floor == null ? null : BigInt(row.floor);
};

/** Codes of the provider's own messages are shown to nobody: who reads records could sign in as somebody else by them. */
const recordColumns = sql`m.customer_id, m.message_id::text, m.msisdn, m.area_code, m.client_sid, m.client_status, m.deal_result,
  m.carrier_code, m.task_id, t.task_name, tp.template_id, tp.template_name, m.app_id, m.sms_type,
  case when c.internal then regexp_replace(m.content, '[0-9]{6}', '******') else m.content end as content,
  m.submitted_at, m.answered_at, m.report_at,
  m.pkg_total, m.carrier, m.range_holder, m.charge_type, m.price, m.route_id, sp.supplier_account, c.customer_name,
  d.since as doubt_since, ${sendStatus} as send_status`;

const recordJoins = sql`join customer c on c.customer_id = m.customer_id
  left join task t on t.task_id = m.task_id
  left join template tp on tp.template_id = coalesce(m.template_id, t.template_id)
  left join supplier sp on sp.supplier_id = m.supplier_id
  left join in_doubt d on d.customer_id = m.customer_id and d.message_id = m.message_id and d.resolved_at is null`;

const readRows = async (db: Db, keys: readonly Key[]): Promise<RecordRow[]> => {
  if (keys.length === 0) return [];
  return many(
    db,
    sql<RecordRow>`select ${recordColumns}
      from unnest(${keys.map((key) => key.customer_id)}::uuid[], ${keys.map((key) => key.message_id)}::bigint[]) as k(customer_id, message_id)
      join message m on m.customer_id = k.customer_id and m.message_id = k.message_id
      ${recordJoins} order by m.message_id desc`,
  );
};

/** One message of one of these customers. */
export const findRecord = async (
  db: Db,
  customerIds: readonly string[],
  messageId: string,
): Promise<RecordRow | null> =>
  maybe(
    db,
    sql<RecordRow>`select ${recordColumns} from unnest(${customerIds}::uuid[]) as k(customer_id)
      join message m on m.customer_id = k.customer_id and m.message_id = ${messageId}::bigint
      ${recordJoins}`,
  );

/** Whose records staff look through: all customers, the provider's internal one included. */
export const listCustomerIds = async (db: Db): Promise<string[]> => {
  const rows = await many(
    db,
    sql<{ customer_id: string }>`select customer_id from customer order by customer_id limit 1000`,
  );
  return rows.map((row) => row.customer_id);
};
