/** Days whose messages may move to the archive: sealed by `verify`, old enough, and with rows left. */
import { isDistributed } from '../distributed.ts';
import { type Db, many, maybe, sql } from '../sql.ts';
import { archiveBlock } from './archive-packing.ts';
import { readKeptSince } from './kept-since.ts';
import { idsOfDays } from './verify/days.ts';

export interface SealedDay {
  readonly customerId: string;
  /** As in message ids: 0 is 2025-01-01. */
  readonly day: number;
}

const noCustomer = '00000000-0000-0000-0000-000000000000';

/** Seals looked at in one statement. */
const sealsAtOnce = 1_000;

/**
 * The next sealed days after a position that end before an instant, the oldest first. No receipt leads to their messages
 * any more: the routes of that time are dropped. `end`: nothing follows.
 */
export const listArchivable = async (
  db: Db,
  after: SealedDay | null,
  beforeMs: number,
): Promise<{ days: SealedDay[]; end: SealedDay | null }> => {
  const before = new Date(Math.min(beforeMs, await readKeptSince(db, 'dlr_route')));
  const onCitus = await isDistributed(db);
  const hasRows = sql`exists (
          select from message m where m.customer_id = s.customer_id
            and m.message_id >= id_floor(s.day::timestamp at time zone 'UTC')
            and m.message_id < id_floor((s.day + 1)::timestamp at time zone 'UTC'))`;
  const rows = await many(
    db,
    sql<SealedDay & { hasRows: boolean }>`
      select s.customer_id as "customerId", s.day - date '2025-01-01' as day, ${onCitus ? sql`true` : hasRows} as "hasRows"
      from (
        select customer_id, day from verify_seal
        where day < (${before}::timestamptz at time zone 'UTC')::date
          and customer_id <> ${noCustomer}::uuid
          and (day, customer_id) > (date '2025-01-01' + ${after?.day ?? -1}::int, ${after?.customerId ?? noCustomer}::uuid)
        order by day, customer_id limit ${sealsAtOnce}) s
      order by s.day, s.customer_id`,
  );
  const last = rows.length < sealsAtOnce ? undefined : rows.at(-1);
  if (onCitus) for (const row of rows) row.hasRows = await hasMessages(db, row);
  const days = rows.filter((row) => row.hasRows).map(({ customerId, day }) => ({ customerId, day }));
  return { days, end: last === undefined ? null : { customerId: last.customerId, day: last.day } };
};

const hasMessages = async (db: Db, { customerId, day }: SealedDay): Promise<boolean> => {
  const { low, high } = idsOfDays(day, day);
  const query = sql`select from message where customer_id = ${customerId} and message_id >= ${String(low)}::bigint
    and message_id < ${String(high)}::bigint limit 1`;
  return (await maybe(db, query)) !== null;
};

/**
 * Moves the next block of a day and returns the number of its messages; 0: nothing of the day may be moved, or another
 * process is moving it.
 */
export const archiveDayBlock = async (tx: Db, { customerId, day }: SealedDay, limit?: number): Promise<number> => {
  const seal = await maybe(
    tx,
    sql`select from verify_seal where customer_id = ${customerId} and day = date '2025-01-01' + ${day}::int
      for update skip locked`,
  );
  return seal === null ? 0 : await archiveBlock(tx, customerId, idsOfDays(day, day), limit);
};
