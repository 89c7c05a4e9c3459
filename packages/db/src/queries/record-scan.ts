/**
 * Backward scan through messages that no index serves: newest minutes first, over one customer or all of them together.
 * report_minute gives the minutes of each customer that may contain a match, and the rows per minute; batches whose
 * counts rule a match out are excluded from large minutes. The rest is read in key order, a bounded number of rows for
 * all customers together, and the scan reports how far it came.
 */
import { isDistributed } from '../distributed.ts';
import { idBounds, messageIdFloor, messageIdMs } from '../ids.ts';
import { type Db, type Fragment, many, maybe, sql } from '../sql.ts';
import { readKeptSince } from './kept-since.ts';
import { isReal } from './real-customers.ts';
import { minuteMayMatch, type RecordFilter } from './record-filter.ts';
import { type IdRange, type RecordKey, type Round, readFrom } from './record-keys.ts';
import { asksForStatus, batchHasStatus } from './status-counts.ts';

export interface ScanLimits {
  /** Rows of report_minute that one round reads. */
  readonly cells: number;
  /** Rows of message that one round reads. */
  readonly rows: number;
  /** Rounds of one page, at most. */
  readonly rounds: number;
  /** Milliseconds after which a page begins no further round; its first round always runs. */
  readonly budgetMs: number;
}

export const scanLimits: ScanLimits = { cells: 20_000, rows: 20_000, rounds: 5, budgetMs: 150 };

interface Span extends IdRange {
  readonly customerId: string;
  /** Maximum rows in it. */
  readonly rows: number;
}

const minuteMs = 60_000;
/** Minutes with fewer rows are read without a look at their batches. */
const largeMinuteRows = 5_000;
const mostBatches = 2_000;

const floorTo = ({ ms }: Grain, at: number): number => Math.floor(at / ms) * ms;

/** `readers`: customers whose records are read; null: all customers. `conditions` narrow a row `s` of message. */
export const scanRound = async (
  db: Db,
  readers: readonly string[] | null,
  filter: RecordFilter,
  conditions: readonly Fragment[],
  { low, high }: IdRange,
  limit: number,
  limits: ScanLimits,
): Promise<Round> => {
  const { spans: whole, floor } = await findSpansOfTime(db, readers, filter, { low, high }, limits);
  const spans = asksForStatus(filter) ? await cutBatchesOut(db, filter, whole) : whole;
  if (spans.length === 0) return { keys: [], floor };
  // Either few rows in total, or one large minute whose customers share the rows of a round.
  const isLarge = spans.reduce((sum, span) => sum + span.rows, 0) > 2 * limits.rows;
  const rowsEach = isLarge ? Math.max(1, Math.ceil(limits.rows / spans.length)) : 2 * limits.rows;
  const cutAt = await findCut(db, spans, rowsEach);
  const reached = maxOf(floor, cutAt);
  const keys = (await isDistributed(db))
    ? await readWhole(db, spans, conditions, reached, limit)
    : await readSpans(db, spans, conditions, rowsEach, limit);
  return { keys: reached === null ? keys : keys.filter((key) => BigInt(key.messageId) >= reached), floor: reached };
};

const maxOf = (a: bigint | null, b: bigint | null): bigint | null => {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
};

/** Rows of minutes show where a match may be; before those are kept, rows of hours. */
interface Grain {
  readonly table: 'report_minute' | 'report_hour';
  readonly column: 'minute' | 'hour';
  readonly ms: number;
}

const byMinute: Grain = { table: 'report_minute', column: 'minute', ms: minuteMs };
const byHour: Grain = { table: 'report_hour', column: 'hour', ms: 60 * minuteMs };

/** A round is of a time that has minutes, or of the time before. */
const findSpansOfTime = async (
  db: Db,
  readers: readonly string[] | null,
  filter: RecordFilter,
  { low, high }: IdRange,
  limits: ScanLimits,
): Promise<{ spans: Span[]; floor: bigint | null }> => {
  const kept = messageIdFloor(await readKeptSince(db, 'report_minute'));
  if (high <= kept) return await findSpans(db, readers, filter, { low, high }, limits, byHour);
  if (low >= kept) return await findSpans(db, readers, filter, { low, high }, limits, byMinute);
  const { spans, floor } = await findSpans(db, readers, filter, { low: kept, high }, limits, byMinute);
  return { spans, floor: floor ?? kept };
};

interface MinuteRow {
  customerId: string;
  minute: Date;
  rows: number;
}

/** Minutes (or hours) that may hold a match, newest first, until they have the rows of a round; adjacent ones become one span. */
const findSpans = async (
  db: Db,
  readers: readonly string[] | null,
  filter: RecordFilter,
  { low, high }: IdRange,
  limits: ScanLimits,
  grain: Grain,
): Promise<{ spans: Span[]; floor: bigint | null }> => {
  const fromMs = floorTo(grain, messageIdMs(low));
  const toMs = floorTo(grain, messageIdMs(high - 1n));
  const { minutes, endMs } = await findMinutes(db, readers, filter, { fromMs, toMs }, limits.cells, grain);
  const rowsOf = new Map<number, number>();
  for (const { minute, rows } of minutes) rowsOf.set(minute.getTime(), (rowsOf.get(minute.getTime()) ?? 0) + rows);
  const open = new Map<string, Span>();
  const spans: Span[] = [];
  let rows = 0;
  let lastMs = Number.POSITIVE_INFINITY;
  for (const { customerId, minute, rows: more } of minutes) {
    const ms = minute.getTime();
    if (ms < lastMs) {
      const all = rows + (rowsOf.get(ms) ?? 0);
      // A minute too large to share a round gets a separate one.
      if (rows >= limits.rows || (rows > 0 && all > 2 * limits.rows)) return close(messageIdFloor(lastMs));
      lastMs = ms;
      rows = all;
    }
    const before = open.get(customerId);
    const isAdjacent = before !== undefined && before.low === messageIdFloor(ms + grain.ms);
    if (before !== undefined && !isAdjacent) spans.push(before);
    open.set(customerId, {
      customerId,
      low: messageIdFloor(ms),
      high: isAdjacent ? before.high : messageIdFloor(ms + grain.ms),
      rows: more + (isAdjacent ? before.rows : 0),
    });
  }
  return close(endMs === null ? null : messageIdFloor(endMs));

  function close(floor: bigint | null): { spans: Span[]; floor: bigint | null } {
    const clamped = [...spans, ...open.values()].map((span) => ({
      ...span,
      low: span.low > low ? span.low : low,
      high: span.high < high ? span.high : high,
    }));
    return { spans: clamped.filter((span) => span.low < span.high), floor };
  }
};

/** `endMs`: start of the oldest minute that was looked at whole; null: all of the range was. */
const findMinutes = async (
  db: Db,
  readers: readonly string[] | null,
  filter: RecordFilter,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  cells: number,
  grain: Grain,
): Promise<{ minutes: MinuteRow[]; endMs: number | null }> => {
  const found = await readMinutes(db, readers, filter, { fromMs, toMs }, cells, grain);
  if (found.cut === null) return { minutes: found.minutes, endMs: null };
  if (found.top !== null && found.cut < found.top)
    return { minutes: found.minutes, endMs: found.cut.getTime() + grain.ms };
  // One minute has more cells than a round reads: that minute, whole.
  const ms = found.cut.getTime();
  const { minutes } = await readMinutes(db, readers, filter, { fromMs: ms, toMs: ms }, null, grain);
  return { minutes, endMs: ms };
};

/** `cut`: the minute in which the reading stopped, not among `minutes`; `top`: the newest. */
const readMinutes = async (
  db: Db,
  readers: readonly string[] | null,
  filter: RecordFilter,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  cells: number | null,
  { table, column }: Grain,
): Promise<{ minutes: MinuteRow[]; cut: Date | null; top: Date | null }> => {
  // By equality for one customer: the primary key is then read in the order of time on every version.
  const whose =
    readers === null
      ? isReal(sql`r.customer_id`)
      : readers.length === 1
        ? sql`r.customer_id = ${readers[0]}::uuid`
        : sql`r.customer_id = any(${readers}::uuid[])`;
  const rows = await many(
    db,
    sql<{ cut: Date | null; top: Date | null; customerId: string | null; minute: Date; rows: number }>`
      with scanned as materialized (
        select r.*, r.${sql.ref(column)} as at from ${sql.ref(table)} r
        where ${whose} and r.${sql.ref(column)} >= ${new Date(fromMs)} and r.${sql.ref(column)} <= ${new Date(toMs)}
        order by r.${sql.ref(column)} desc limit ${cells}),
      edge as (select case when count(*) = ${cells}::bigint then min(at) end as cut, max(at) as top from scanned)
      select edge.cut, edge.top, h.customer_id as "customerId", h.minute, h.rows from edge left join (
        select s.customer_id, s.at as minute, sum(s.req_total)::int as rows from scanned s
        where s.at > coalesce((select cut from edge), '-infinity')
        group by s.customer_id, s.at having ${minuteMayMatch(filter)}) h on true
      order by h.minute desc`,
  );
  const minutes = rows.filter((row): row is typeof row & { customerId: string } => row.customerId !== null);
  return { minutes, cut: rows[0]?.cut ?? null, top: rows[0]?.top ?? null };
};

/** Large spans without the batches that contain no match. A batch deleted from the table excludes nothing. */
const cutBatchesOut = async (db: Db, filter: RecordFilter, spans: readonly Span[]): Promise<Span[]> => {
  const large = spans.filter((span) => span.rows >= largeMinuteRows);
  if (large.length === 0) return [...spans];
  const batches = await many(
    db,
    sql<{ customerId: string; batchId: string; messageCount: number }>`
      select b.customer_id as "customerId", b.batch_id::text as "batchId", b.message_count as "messageCount"
      from ${spanTable(large)} cross join lateral (
        select b.customer_id, b.batch_id, b.message_count from batch b
        where b.customer_id = c.customer_id and b.batch_id >= c.low and b.batch_id + b.message_count <= c.high
          and not (${batchHasStatus(filter)})
        order by b.batch_id desc limit ${mostBatches}) b
      order by b.batch_id desc limit ${mostBatches}`,
  );
  const ruledOut = Map.groupBy(batches, (batch) => batch.customerId);
  return spans.flatMap((span) => (large.includes(span) ? subtract(span, ruledOut.get(span.customerId) ?? []) : [span]));
};

/** `batches`: newest first. */
const subtract = (span: Span, batches: readonly { batchId: string; messageCount: number }[]): Span[] => {
  const left: Span[] = [];
  let { high } = span;
  for (const { batchId, messageCount: count } of batches) {
    const low = BigInt(batchId);
    const end = low + BigInt(count);
    if (low < span.low || end > high) continue;
    if (end < high) left.push({ ...span, low: end, high });
    high = low;
  }
  if (span.low < high) left.push({ ...span, high });
  return left;
};

const spanTable = (spans: readonly Span[]): Fragment =>
  sql`unnest(${spans.map((span) => span.customerId)}::uuid[], ${spans.map((span) => String(span.low))}::bigint[],
    ${spans.map((span) => String(span.high))}::bigint[]) as c(customer_id, low, high)`;

/** Their bounds leave the partitions of other weeks out of the plan. */
const ofSpan = (spans: readonly Span[]): Fragment => {
  const [low, high] = idBounds(spans.flatMap((span) => [span.low, span.high]));
  return sql`m.customer_id = c.customer_id and m.message_id >= c.low and m.message_id < c.high
    and m.message_id between ${low}::bigint and ${high}::bigint`;
};

const readSpans = async (
  db: Db,
  spans: readonly Span[],
  conditions: readonly Fragment[],
  rowsEach: number,
  limit: number,
): Promise<RecordKey[]> =>
  many(
    db,
    sql<RecordKey>`select r.customer_id as "customerId", r.message_id::text as "messageId"
      from ${spanTable(spans)} cross join lateral (
        select s.customer_id, s.message_id from (
          select m.* from message m where ${ofSpan(spans)} order by m.message_id desc limit ${rowsEach}) s
        where ${conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)}
        order by s.message_id desc limit ${limit}) r
      order by r.message_id desc limit ${limit}`,
  );

/** On Citus, which has no limit for each span: the same, because no span has more above `reached`. */
const readWhole = (
  db: Db,
  spans: readonly Span[],
  conditions: readonly Fragment[],
  reached: bigint | null,
  limit: number,
): Promise<RecordKey[]> => {
  const left = spans
    .map((span) => ({ ...span, low: reached !== null && reached > span.low ? reached : span.low }))
    .filter(({ low, high }) => low < high);
  if (left.length === 0) return Promise.resolve([]);
  const customerIds = [...new Set(left.map(({ customerId }) => customerId))];
  const rows = sql`${spanTable(left)} join message m on ${ofSpan(left)} where m.customer_id = any(${customerIds}::uuid[])`;
  return readFrom(db, rows, conditions, limit);
};

/** Returns the highest ID below which some span's rows are not read; null if all are. Index only. */
const findCut = async (db: Db, spans: readonly Span[], rowsEach: number): Promise<bigint | null> => {
  const long = spans.filter((span) => span.rows > rowsEach);
  if (long.length === 0) return null;
  if (await isDistributed(db)) return await findCutByCustomer(db, long, rowsEach);
  const row = await maybe(
    db,
    sql<{ cut: string | null }>`select max(r.message_id)::text as cut from ${spanTable(long)} cross join lateral (
        select m.message_id from message m
        where ${ofSpan(long)}
        order by m.message_id desc offset ${rowsEach - 1} limit 1) r`,
  );
  return row?.cut == null ? null : BigInt(row.cut);
};

const findCutByCustomer = async (db: Db, spans: readonly Span[], rowsEach: number): Promise<bigint | null> => {
  let cut: bigint | null = null;
  for (const { customerId, low, high } of spans) {
    const row = await maybe(
      db,
      sql<{ id: string }>`select message_id::text as id from message where customer_id = ${customerId}
        and message_id >= ${String(low)}::bigint and message_id < ${String(high)}::bigint
        order by message_id desc offset ${rowsEach - 1} limit 1`,
    );
    if (row !== null) cut = maxOf(cut, BigInt(row.id));
  }
  return cut;
};
