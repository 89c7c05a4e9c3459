/** Results, receipts and texts of carriers that no table could hold, stored separately for staff. */
import { messagesOf } from '../by-customer.ts';
import { uuidV7 } from '../ids.ts';
import { pageBy } from '../keyset.ts';
import { type Db, type Fragment, many, maybe, run, sql } from '../sql.ts';
import { dbNow } from './db-clock.ts';

export interface SetAsideEvent {
  eventKey: string;
  kind: 'result' | 'receipt' | 'text';
  supplierId: string;
  /** Of a result. */
  messageId: bigint | null;
  /** SQLSTATE of the refusal. */
  errorCode: string;
  /** JSON without NUL, phones masked. */
  content: string;
  /** Of a text: it refuses messages. */
  isOptOut: boolean;
  /** Its number is on the list of the customer that the text belongs to. */
  optedOut: boolean;
}

/** False: it is there already. */
export const insertSetAside = async (tx: Db, row: SetAsideEvent): Promise<boolean> => {
  const inserted = await run(
    tx,
    sql`insert into set_aside_event (event_key, kind, supplier_id, message_id, error_code, content, set_aside_at, event_id,
          is_opt_out, opted_out)
        values (${row.eventKey}, ${row.kind}, ${row.supplierId}, ${row.messageId === null ? null : String(row.messageId)},
          ${row.errorCode}, ${row.content}, ${dbNow()}, ${uuidV7()}, ${row.isOptOut}, ${row.optedOut})
        on conflict do nothing`,
  );
  return inserted === 1;
};

export interface SetAsideCount {
  supplierId: string;
  count: number;
  since: Date;
}

/** Unhandled events older than so many seconds, by account; counting ends at a thousand. */
export const countSetAside = (db: Db, withinS: number): Promise<SetAsideCount[]> =>
  many<SetAsideCount>(
    db,
    sql`select supplier_id as "supplierId", count(*)::int as count, min(set_aside_at) as since
        from (select supplier_id, set_aside_at from set_aside_event
              where set_aside_at > ${dbNow()} - ${withinS}::float8 * interval '1 second' and handled_at is null
              order by set_aside_at desc limit 1000) e
        group by 1 order by 1`,
  );

export const sweepSetAside = (db: Db, keptMs: number, limit: number): Promise<number> =>
  run(
    db,
    sql`delete from set_aside_event where event_key in (
          select event_key from set_aside_event
          where set_aside_at < ${dbNow()} - ${keptMs}::float8 * interval '1 millisecond' limit ${limit})`,
  );

export interface SetAsideRow extends Omit<SetAsideEvent, 'eventKey' | 'messageId'> {
  eventId: string;
  messageId: string | null;
  setAsideAt: Date;
  /** The instant to the microsecond, for the cursor. */
  atKey: string;
  handledAt: Date | null;
  handledBy: string | null;
}

export interface SetAsideFilter {
  kind?: SetAsideEvent['kind'] | undefined;
  supplierId?: string | undefined;
  isHandled?: boolean | undefined;
  after: readonly [atKey: string, eventId: string] | null;
  /** In the other direction. */
  isReversed?: boolean | undefined;
  limit: number;
}

const columns = sql`event_id as "eventId", kind, supplier_id as "supplierId", message_id::text as "messageId",
  error_code as "errorCode", content, is_opt_out as "isOptOut", opted_out as "optedOut", set_aside_at as "setAsideAt",
  set_aside_at::text as "atKey", handled_at as "handledAt", handled_by as "handledBy"`;

export const listSetAside = (
  db: Db,
  { kind, supplierId, isHandled, after, isReversed = false, limit }: SetAsideFilter,
) => {
  const { past, orderBy } = pageBy(
    [
      [sql`set_aside_at`, 'timestamptz'],
      [sql`event_id`, 'uuid'],
    ],
    { isDescending: !isReversed, after },
  );
  const conditions: Fragment<unknown>[] = [past];
  if (kind !== undefined) conditions.push(sql`kind = ${kind}`);
  if (supplierId !== undefined) conditions.push(sql`supplier_id = ${supplierId}`);
  if (isHandled !== undefined) conditions.push(isHandled ? sql`handled_at is not null` : sql`handled_at is null`);
  return many<SetAsideRow>(
    db,
    sql`select ${columns} from set_aside_event where ${sql.join(conditions, sql` and `)}
        order by ${orderBy} limit ${limit}`,
  );
};

export const findSetAside = (db: Db, eventId: string): Promise<SetAsideRow | null> =>
  maybe<SetAsideRow>(db, sql`select ${columns} from set_aside_event where event_id = ${eventId}`);

/** False if another request was faster. */
export const handleSetAside = async (tx: Db, eventId: string, userId: string): Promise<boolean> =>
  (await run(
    tx,
    sql`update set_aside_event set handled_at = ${dbNow()}, handled_by = ${userId}
        where event_id = ${eventId} and handled_at is null`,
  )) === 1;

export interface SetAsideMessage {
  messageId: string;
  customerId: string;
  operator: string;
  taskId: string | null;
  taskName: string | null;
}

/** Messages of results, with their customer and task, so far as they are kept. */
export const listSetAsideMessages = async (
  db: Db,
  of: readonly { customerId: string; messageId: string }[],
): Promise<SetAsideMessage[]> =>
  many<SetAsideMessage>(
    db,
    sql`select m.message_id::text as "messageId", m.customer_id as "customerId", c.customer_name as operator,
          m.task_id as "taskId", t.task_name as "taskName"
        from unnest(${of.map((each) => each.customerId)}::uuid[], ${of.map((each) => each.messageId)}::bigint[])
          as i(customer_id, message_id)
        ${await messagesOf(db, of)}
        join customer c on c.customer_id = m.customer_id
        left join task t on t.task_id = m.task_id`,
  );
