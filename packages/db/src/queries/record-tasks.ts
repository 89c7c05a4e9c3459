/**
 * Records of tasks, or of a template: batch by batch, with consecutive IDs, so that no rows of other tasks are read,
 * however many lie between. A template's own messages have an index.
 */
import { type Db, type Fragment, many, maybe, sql } from '../sql.ts';
import { isIndexedPrefix, type RecordFilter, rowConditions } from './record-filter.ts';
import { type IdRange, type RecordKey, type Round, readByNumber } from './record-keys.ts';
import { asksForStatus, batchHasStatus } from './status-counts.ts';

/** Rows that one round looks at. */
const scannedRows = 20_000;

/** The tasks that the filter names, or that use the template it names. */
export const findTaskIds = async (
  db: Db,
  customerId: string,
  { taskId, templateId }: RecordFilter,
): Promise<string[]> => {
  if (templateId === undefined) return taskId === undefined ? [] : [taskId];
  const rows = await many(
    db,
    sql<{
      taskId: string;
    }>`select task_id as "taskId" from task where customer_id = ${customerId} and template_id = ${templateId}`,
  );
  const all = rows.map(({ taskId: id }) => id);
  return taskId === undefined ? all : all.filter((each) => each === taskId);
};

/** One round over the tasks' messages and, if no task is named, over those that have the template themselves. */
export const taskRound = async (
  db: Db,
  customerId: string,
  filter: RecordFilter,
  taskIds: readonly string[],
  ids: IdRange,
  limit: number,
): Promise<Round> => {
  const templateId = filter.taskId === undefined ? (filter.templateId ?? null) : null;
  const conditions = rowConditions(filter);
  if (isIndexedPrefix(filter)) {
    const belongs = sql`(s.task_id = any(${taskIds}::uuid[]) or s.template_id = ${templateId}::uuid)`;
    return {
      keys: await readByNumber(db, [customerId], filter.msisdnPrefix ?? '', [...conditions, belongs], ids, limit),
      floor: null,
    };
  }
  const range = await narrowToTasks(db, taskIds, ids);
  const read = (most: number): Fragment | null => {
    const kinds: Fragment[] = [];
    if (range !== null) kinds.push(readTasks(customerId, filter, taskIds, range, most));
    if (templateId !== null) kinds.push(readTemplate(customerId, templateId, ids, most));
    return kinds.length === 0 ? null : kinds.length === 1 ? kinds[0]! : newestOf(kinds, most);
  };
  const inOrder = read(conditions.length === 0 ? limit : scannedRows);
  if (inOrder === null) return { keys: [], floor: null };
  const where = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
  const keys = await many(
    db,
    sql<RecordKey>`select s.customer_id as "customerId", s.message_id::text as "messageId" from (${inOrder}) s
      where ${where} order by s.message_id desc limit ${limit}`,
  );
  if (conditions.length === 0 || keys.length >= limit) return { keys, floor: null };
  const row = await maybe(
    db,
    sql<{ floor: string }>`select s.message_id::text as floor from (${inOrder}) s
      order by s.message_id desc offset ${scannedRows - 1} limit 1`,
  );
  return { keys, floor: row === null ? null : BigInt(row.floor) };
};

const newestOf = (kinds: readonly Fragment[], most: number): Fragment =>
  sql`select m.* from (${sql.join(
    kinds.map((kind) => sql`(${kind})`),
    sql` union all `,
  )}) m order by m.message_id desc limit ${most}`;

/** Messages of tasks lie within their batches: their range is far smaller than that of the time asked for. */
const narrowToTasks = async (db: Db, taskIds: readonly string[], ids: IdRange): Promise<IdRange | null> => {
  const row = await maybe(
    db,
    sql<{
      low: string | null;
      high: string | null;
    }>`select min(batch_id)::text as low, max(batch_id + message_count)::text as high
      from batch where task_id = any(${taskIds}::uuid[])`,
  );
  if (row?.low == null || row.high == null) return null;
  const [low, high] = [BigInt(row.low), BigInt(row.high)];
  const range = { low: low > ids.low ? low : ids.low, high: high < ids.high ? high : ids.high };
  return range.low < range.high ? range : null;
};

/**
 * Batches whose counts rule a match out are skipped. The inner limit makes the planner follow the order of the batches
 * (each has at most 1,000 messages).
 */
const readTasks = (
  customerId: string,
  filter: RecordFilter,
  taskIds: readonly string[],
  range: IdRange,
  most: number,
): Fragment => {
  const { low, high } = { low: String(range.low), high: String(range.high) };
  const mayMatch = asksForStatus(filter) ? batchHasStatus(filter) : sql`true`;
  return sql`with b as materialized (
      select b.batch_id, b.message_count from batch b
      where b.customer_id = ${customerId} and b.task_id = any(${taskIds}::uuid[])
        and b.batch_id < ${high}::bigint and b.batch_id + b.message_count > ${low}::bigint and ${mayMatch})
    select m.* from b cross join lateral (
      select m.* from message m where m.customer_id = ${customerId}
        and m.message_id >= greatest(b.batch_id, ${low}::bigint)
        and m.message_id < least(b.batch_id + b.message_count, ${high}::bigint)
      order by m.message_id desc limit 1000) m
    order by b.batch_id desc, m.message_id desc limit ${most}`;
};

const readTemplate = (customerId: string, templateId: string, { low, high }: IdRange, most: number): Fragment =>
  sql`select m.* from message m where m.customer_id = ${customerId} and m.template_id = ${templateId}::uuid
    and m.message_id >= ${String(low)}::bigint and m.message_id < ${String(high)}::bigint
    order by m.message_id desc limit ${most}`;
