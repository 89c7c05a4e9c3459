/**
 * Keys of archived records, newest first. Blocks that can't hold a match by their kinds of messages or by their filter of
 * numbers are left out; of the others a bounded number is unpacked, and the result says how far back they reach.
 */
import { type Db, type Fragment, many, sql } from '../sql.ts';
import { dayIds, mayHoldNumber, messagesOfBlock, numberHashes } from './message-archive.ts';
import { isReal } from './real-customers.ts';
import { isIndexedPrefix, type RecordFilter, rowConditions } from './record-filter.ts';
import { afterPrefix, type IdRange, type RecordKey, type Round } from './record-keys.ts';
import { allOf } from './status-counts.ts';

/** Blocks that one round unpacks, and of many customers those that reach beyond the range: 2 ms for each. */
const blocksAtOnce = 32;

export interface ArchiveLook {
  /** Customers whose records are read; null: all. */
  readonly readers: readonly string[] | null;
  readonly filter: RecordFilter;
  /** Tasks that the filter names, or that use its template. */
  readonly taskIds: readonly string[];
}

/** Returns at most `limit` keys of a range. */
export const archiveRound = async (
  db: Db,
  look: ArchiveLook,
  { low, high }: IdRange,
  limit: number,
  blocks: number = blocksAtOnce,
): Promise<Round> => {
  const found = await listBlocks(db, look, { low, high }, blocks);
  const next = found[0] === undefined ? undefined : found[found[0].beyond + blocks];
  const floor = next === undefined ? null : BigInt(next.lastId) + 1n;
  const chosen = next === undefined ? found : found.slice(0, -1);
  if (chosen.length === 0) return { keys: [], floor };
  const from = floor === null || floor < low ? low : floor;
  // Blocks of one customer follow each other, so only as many are unpacked as the page needs.
  const parts = look.readers?.length === 1 ? partsOf(chosen, limit) : [chosen];
  const keys: RecordKey[] = [];
  for (const part of parts) {
    keys.push(...(await unpack(db, look, part, { low: from, high }, limit)));
    if (keys.length >= limit) break;
  }
  return { keys: keys.slice(0, limit), floor };
};

/** In the same order: first blocks with as many messages as are wanted, then with four times as many, and so on. */
function* partsOf(blocks: readonly FoundBlock[], limit: number): Generator<FoundBlock[]> {
  let part: FoundBlock[] = [];
  let rows = 0;
  let wanted = limit;
  for (const block of blocks) {
    part.push(block);
    rows += block.rowCount;
    if (rows < wanted) continue;
    yield part;
    [part, rows, wanted] = [[], 0, 4 * wanted];
  }
  if (part.length > 0) yield part;
}

const unpack = (
  db: Db,
  look: ArchiveLook,
  blocks: readonly FoundBlock[],
  { low, high }: IdRange,
  limit: number,
): Promise<RecordKey[]> =>
  many(
    db,
    sql<RecordKey>`select s.customer_id as "customerId", s.message_id::text as "messageId"
      from unnest(${blocks.map((each) => each.customerId)}::uuid[], ${blocks.map((each) => each.firstId)}::bigint[])
        as b(customer_id, first_id)
      join message_archive a on a.customer_id = b.customer_id and a.first_id = b.first_id
      cross join lateral ${messagesOfBlock} s
      where s.message_id >= ${String(low)}::bigint and s.message_id < ${String(high)}::bigint
        and ${allOf([...rowConditions(look.filter), ...prefixCondition(look.filter), ...taskCondition(look)])}
      order by s.message_id desc limit ${limit}`,
  );

interface FoundBlock {
  customerId: string;
  firstId: string;
  lastId: string;
  rowCount: number;
  /** Blocks that reach to the end of the range or beyond. */
  beyond: number;
}

/**
 * Blocks that may hold a match, those with the highest ids first: all that reach beyond the range, one of each customer at
 * most, then `blocks` others, and the next.
 */
const listBlocks = (db: Db, look: ArchiveLook, { low, high }: IdRange, blocks: number): Promise<FoundBlock[]> => {
  const { readers, filter } = look;
  const whose =
    readers === null
      ? isReal(sql`a.customer_id`)
      : readers.length === 1
        ? sql`a.customer_id = ${readers[0]}::uuid`
        : sql`a.customer_id = any(${readers}::uuid[])`;
  const prefix = isIndexedPrefix(filter) ? (filter.msisdnPrefix ?? '') : null;
  const kinds = [
    ...rowConditions({ ...filter, msisdnPrefix: undefined, msisdnSuffix: undefined }),
    ...taskCondition(look),
  ];
  const mayMatch = [
    ...(prefix === null ? [] : [mayHoldNumber]),
    ...(kinds.length === 0 ? [] : [sql`exists (select from archived_kinds(a.kinds) s where ${allOf(kinds)})`]),
  ];
  const [from, to, day] = [low, high, dayIds].map((id) => sql`${String(id)}::bigint`) as [Fragment, Fragment, Fragment];
  // Both ends of a block lie within a day, so that either index of blocks reads a short range.
  const inRange = sql`a.first_id < ${to} and a.first_id > ${from} - ${day} and a.last_id >= ${from} and a.last_id < ${to} + ${day}
    and ${whose} and ${allOf(mayMatch)}`;
  const hashes = prefix === null ? sql`` : sql`${numberHashes(prefix)} cross join`;
  return many(
    db,
    sql<FoundBlock>`
      with beyond as materialized (
        select count(*)::int as n from ${hashes} message_archive a
        where ${inRange} and a.first_id > ${to} - ${day} and a.last_id >= ${to} - 1)
      select a.customer_id as "customerId", a.first_id::text as "firstId", a.last_id::text as "lastId",
        a.row_count as "rowCount", beyond.n as beyond
      from beyond cross join lateral (
        select a.customer_id, a.first_id, a.last_id, a.row_count from ${hashes} message_archive a where ${inRange}
        order by a.${readers?.length === 1 ? sql`first_id` : sql`last_id`} desc limit beyond.n + ${blocks + 1}) a
      order by a.last_id desc`,
  );
};

const prefixCondition = (filter: RecordFilter): Fragment[] =>
  isIndexedPrefix(filter)
    ? [sql`s.msisdn >= ${filter.msisdnPrefix} and s.msisdn < ${afterPrefix(filter.msisdnPrefix ?? '')}`]
    : [];

const taskCondition = ({ filter, taskIds }: ArchiveLook): Fragment[] =>
  filter.taskId === undefined && filter.templateId === undefined
    ? []
    : [
        filter.taskId === undefined
          ? sql`(s.task_id = any(${taskIds}::uuid[]) or s.template_id = ${filter.templateId}::uuid)`
          : sql`s.task_id = any(${taskIds}::uuid[])`,
      ];
